package history

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// Writer is a recorder that writes a history as JSON lines. It does not lock. After a first error it writes nothing more;
// Flush and Err tell it.
type Writer struct {
	out  *bufio.Writer
	line []byte
	err  error
}

var _ Recorder = (*Writer)(nil)

// NewWriter writes the header and returns the recorder of what follows it. Version is filled in.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	h.Version = Version
	if err := h.validate(); err != nil {
		return nil, fmt.Errorf("history header: %w", err)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("history header: %w", err)
	}
	writer := &Writer{out: bufio.NewWriterSize(w, 1<<16)}
	writer.write(append(text, '\n'))
	return writer, writer.err
}

// Invoke writes the start of an operation.
func (w *Writer) Invoke(e Invoke) { w.write(appendInvoke(w.line[:0], e)) }

// Complete writes the end of an operation.
func (w *Writer) Complete(e Complete) { w.write(appendComplete(w.line[:0], e)) }

// Final writes a part of a stream's final contents.
func (w *Writer) Final(e Final) { w.write(appendFinal(w.line[:0], e)) }

// Record writes an event of any type.
func (w *Writer) Record(e Event) {
	switch e := e.(type) {
	case Invoke:
		w.Invoke(e)
	case Complete:
		w.Complete(e)
	case Final:
		w.Final(e)
	}
}

// Flush hands everything written so far to the underlying writer.
func (w *Writer) Flush() error {
	if w.err == nil {
		w.err = w.out.Flush()
	}
	return w.Err()
}

// Err is the first error.
func (w *Writer) Err() error {
	if w.err != nil {
		return fmt.Errorf("write history: %w", w.err)
	}
	return nil
}

func (w *Writer) write(line []byte) {
	w.line = line // its memory is used again
	if w.err == nil {
		_, w.err = w.out.Write(line)
	}
}

func appendInvoke(dst []byte, e Invoke) []byte {
	dst = appendStart(dst, e.At, "invoke", e.Kind.String())
	dst = appendOp(dst, e.Client, e.Op)
	dst = appendString(dst, "stream", e.Stream)
	switch e.Kind {
	case Append:
		dst = appendHashes(dst, e.Hashes)
		if e.Match != nil {
			dst = appendNumber(dst, "match", uint64(*e.Match))
		}
		dst = appendNonZero(dst, "token", uint64(e.Token))
	case Open:
		dst = appendNonZero(dst, "token", uint64(e.Token))
	case Read:
		dst = appendNumber(dst, "from", uint64(e.From))
		dst = appendTrue(dst, "linearizable", e.Linearizable)
	case Tail:
	}
	return append(dst, "}\n"...)
}

func appendComplete(dst []byte, e Complete) []byte {
	dst = appendStart(dst, e.At, "complete", e.Kind.String())
	dst = appendString(dst, "outcome", e.Outcome.String())
	dst = appendOp(dst, e.Client, e.Op)
	switch {
	case e.Outcome != OK:
		if e.Code != "" || e.Outcome == Failed {
			dst = appendString(dst, "code", e.Code)
		}
		if e.Outcome == Failed && e.Code == MatchFailed {
			dst = appendNumber(dst, "tail", uint64(e.Tail))
		}
		if e.Outcome == Failed && e.Code == Fenced {
			dst = appendNumber(dst, "token", uint64(e.Token))
		}
	case e.Kind == Append, e.Kind == Read:
		dst = appendNumber(dst, "first", uint64(e.First))
		dst = appendNumber(dst, "next", uint64(e.Next))
		if e.Kind == Read {
			dst = appendHashes(dst, e.Hashes)
			dst = appendTrue(dst, "at_tail", e.AtTail)
		}
	default:
		dst = appendNumber(dst, "tail", uint64(e.Tail))
		dst = appendNonZero(dst, "token", uint64(e.Token))
	}
	return append(dst, "}\n"...)
}

func appendFinal(dst []byte, e Final) []byte {
	dst = appendStart(dst, e.At, "final", e.Stream)
	dst = appendNumber(dst, "first", uint64(e.First))
	dst = appendHashes(dst, e.Hashes)
	return append(dst, "}\n"...)
}

func appendStart(dst []byte, at int64, name, value string) []byte {
	dst = append(dst, `{"at":`...)
	dst = strconv.AppendInt(dst, at, 10)
	return appendString(dst, name, value)
}

func appendOp(dst []byte, c Client, o OpID) []byte {
	dst = appendNumber(dst, "client", uint64(c))
	return appendNumber(dst, "op", uint64(o))
}

func appendName(dst []byte, name string) []byte {
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	return append(dst, `":`...)
}

func appendString(dst []byte, name, value string) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("history: a string that JSON cannot hold: %v", err)) // not reachable: bad UTF-8 is replaced
	}
	return append(appendName(dst, name), text...)
}

func appendNumber(dst []byte, name string, n uint64) []byte {
	return strconv.AppendUint(appendName(dst, name), n, 10)
}

func appendNonZero(dst []byte, name string, n uint64) []byte {
	if n == 0 {
		return dst
	}
	return appendNumber(dst, name, n)
}

func appendTrue(dst []byte, name string, is bool) []byte {
	if !is {
		return dst
	}
	return append(appendName(dst, name), "true"...)
}

func appendHashes(dst []byte, hashes []Hash) []byte {
	dst = append(appendName(dst, "hashes"), '[')
	for i, h := range hashes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = appendHash(dst, h)
		dst = append(dst, '"')
	}
	return append(dst, ']')
}

func appendHash(dst []byte, h Hash) []byte {
	const digits = "0123456789abcdef"
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, digits[h>>shift&15])
	}
	return dst
}
