package sim

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Tracer is told every event of a run: the instant, the process or place it happened at, what happened, and alternating
// keys and values. Composing a trace changes nothing in the run: its hash is the same with and without one.
//
// Events are: start, stop, kill, pause, resume, slow, clock.drift and clock.jump of processes; step for each named step;
// the notes of the core under their own names; meta.get and the like for each call's end at its caller, with its error;
// meta.write and blob.write for each change where it happened; network.cut and the like; fault for each fault that fired;
// fate for each effect that went wrong by order; failure for what ended the run; ask and told for the operations of a workload;
// acked, slot.flight, chain.epoch, writer, refs and the like for what an observer understands of a write; violation for each.
type Tracer interface {
	Event(at time.Duration, where, what string, kv []any)
}

// Emit writes one event into the trace, if there is one. Hot paths ask Tracing before they compose kv.
func (w *World) Emit(where, what string, kv ...any) {
	if w.cfg.Trace != nil {
		if w.causal != nil {
			w.causal.Caused(w.because())
		}
		w.cfg.Trace.Event(w.Now(), where, what, kv)
	}
}

// Tracing says whether anybody reads the trace.
func (w *World) Tracing() bool { return w.cfg.Trace != nil }

// AppendEvent composes the line of one event: time star what key=value ...
//
// The time is in seconds with nine decimals. A place without a name is "-". Values that hold blanks, quotes or control
// characters are quoted as in Go.
func AppendEvent(line []byte, at time.Duration, where, what string, kv []any) []byte {
	line = fmt.Appendf(line, "%d.%09d ", at/time.Second, at%time.Second)
	if where == "" {
		where = "-"
	}
	line = append(line, where...)
	line = append(line, ' ')
	line = append(line, what...)
	for i := 0; i+1 < len(kv); i += 2 {
		line = fmt.Appendf(line, " %v=", kv[i])
		value := fmt.Sprint(kv[i+1])
		if value == "" || strings.ContainsFunc(value, needsQuotes) {
			line = strconv.AppendQuote(line, value)
		} else {
			line = append(line, value...)
		}
	}
	return line
}

func needsQuotes(r rune) bool { return r <= ' ' || r == '"' || r == 0x7f }

// Lines is a Tracer that writes one line an event.
type Lines struct {
	out  io.Writer
	line []byte
}

// NewLines makes a Tracer over a writer, whose errors it ignores.
func NewLines(out io.Writer) *Lines { return &Lines{out: out} }

// Event writes the line.
func (l *Lines) Event(at time.Duration, where, what string, kv []any) {
	l.line = append(AppendEvent(l.line[:0], at, where, what, kv), '\n')
	_, _ = l.out.Write(l.line) // a trace that cannot be written does not stop the run
}

// Ring is a Tracer that keeps the last lines.
type Ring struct {
	lines []string
	next  int
	full  bool
}

// NewRing makes a ring of so many lines.
func NewRing(lines int) *Ring { return &Ring{lines: make([]string, max(lines, 1))} }

// Event keeps the line.
func (r *Ring) Event(at time.Duration, where, what string, kv []any) {
	r.lines[r.next] = string(AppendEvent(nil, at, where, what, kv))
	r.next = (r.next + 1) % len(r.lines)
	r.full = r.full || r.next == 0
}

// Lines are the lines kept, the oldest first.
func (r *Ring) Lines() []string {
	if !r.full {
		return append([]string(nil), r.lines[:r.next]...)
	}
	return append(append([]string(nil), r.lines[r.next:]...), r.lines[:r.next]...)
}
