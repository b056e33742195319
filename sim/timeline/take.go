package timeline

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// take puts an event of the trace where it belongs.
func (b *builder) take(e *Event) {
	l := b.at(e.Where)
	switch {
	case e.What == "violation" || e.What == "failure":
		b.violation(e)
	case e.What == "fault":
		b.put(l.row("faults", "faults"), item{at: e.At, kind: "fault", label: e.Get("name"), by: e})
	case e.What == "start" || e.What == "kill":
		b.life(l, e)
	case strings.HasPrefix(e.What, "slot."):
		b.slot(e)
	case e.What == "chain.epoch":
		b.epoch(e)
	case e.What == "ask":
		b.asked(l, e)
	case e.What == "told":
		b.told(e)
	case e.What == "acked":
		if i := b.ops[e.Get("op")]; i != nil {
			b.shows(i, e)
		}
	case b.wrong(l, e):
	case e.What == "meta.write":
		b.put(l.row("marks", e.Get("space")), item{at: e.At, kind: "write", label: e.Get("key"), by: e})
	case e.What == "writer" || e.What == "producer" || e.What == "refs" || e.What == "refs.gone":
		b.put(l.row("marks", e.What+" rows"), item{at: e.At, kind: "write", label: e.Get("stream"), by: e})
		b.superseded(e)
	case e.What == "blob.write":
		if !strings.HasPrefix(e.Get("key"), "chains/") {
			b.put(l.row("marks", "objects"), item{at: e.At, kind: "write", label: e.Get("key"), by: e})
		}
	case e.What == "step":
		b.put(l.row("marks", "steps"), item{at: e.At, kind: "step", label: e.Get("name"), by: e})
	case e.Get("took") != "":
		b.call(l, e)
	default:
		b.note(l, e)
	}
}

// violation marks a violation, and ties it to its sentence.
func (b *builder) violation(e *Event) {
	if e.What == "failure" {
		return // its violation follows
	}
	i := b.put(b.lane["violations"].row("marks", "violations"), item{at: b.moments[e.Cause.Event], kind: "violation", label: e.Get("check"), by: e})
	i.mark |= aboutViolation
}

// life begins and ends the bar of a process. Two processes of one name may live at the same time.
func (b *builder) life(l *lane, e *Event) {
	if l.Kind == "fleet" {
		return
	}
	boot := e.Get("boot")
	if e.What == "start" {
		b.over(l, "dead", e.At)
		l.lives = append(l.lives, b.put(l.free("life", "alive", e.At, mostLives), item{at: e.At, kind: "alive", label: "life " + boot, by: e, lasting: true}))
		return
	}
	b.overKey(l.Name+" paused "+boot, e.At)
	b.overKey(l.Name+" slow "+boot, e.At)
	next := forever // when a life began that goes on
	for _, i := range l.lives {
		switch {
		case !i.lasting:
		case i.by.Get("boot") == boot:
			i.row.end(i, e.At)
		default:
			next = min(next, i.at)
		}
	}
	b.endLeads(l, next, e.At)
	if next == forever {
		b.begin(l, "dead", "it was dead", e.At)
	}
}

// call is a call of a process to a service or a star.
func (b *builder) call(l *lane, e *Event) {
	took, err := time.ParseDuration(e.Get("took"))
	if err != nil {
		took = 0
	}
	kind := "call"
	if refused := e.Get("error"); refused != "none" && !strings.Contains(refused, "not found") {
		kind = "failed-call"
	}
	label := e.What
	if key := e.Get("key"); key != "" {
		label += " " + key
	}
	b.put(l.row("calls", "calls"), item{at: e.At - took, until: e.At, kind: kind, label: label, by: e})
}

// note is what the core noted, and everything else.
func (b *builder) note(l *lane, e *Event) {
	switch e.What {
	case "leadership taken":
		key := leadKey(e)
		r := l.free("leads", "leads", e.At, mostLeads)
		label := fmt.Sprintf("%s e%s", e.Get("stream"), e.Get("epoch"))
		b.leads[key] = b.put(r, item{at: e.At, kind: "lead", label: label, by: e, lasting: true})
		b.leading[e.Get("id")] = append(b.leading[e.Get("id")], b.leads[key])
	case "leadership released", "leadership abandoned":
		b.endLead(leadKey(e), e.At)
	case "star serves":
		if id := e.Get("star"); !strings.Contains(l.ID, id) {
			l.ID = strings.TrimSpace(l.ID + " " + id)
		}
	}
	kind := "note"
	if strings.Contains(e.What, "limbo") || strings.Contains(e.What, "lost") || strings.Contains(e.What, "abandoned") || strings.Contains(e.What, "superseded") {
		kind = "trouble"
	}
	b.put(l.row("marks", "notes"), item{at: e.At, kind: kind, label: e.What, by: e})
}

const (
	mostLives = 2 // rows of lives in a lane
	mostLeads = 8 // rows of leaderships in a lane
	mostOps   = 4 // rows of operations
)

// leadKey names a leadership: where, of what, and under which epoch.
func leadKey(e *Event) string { return e.Where + " " + e.Get("stream") + " " + e.Get("epoch") }

func (b *builder) endLead(key string, at time.Duration) {
	if i := b.leads[key]; i != nil {
		i.row.end(i, at)
		delete(b.leads, key)
	}
}

// endLeads ends the leaderships of a star that died: those that were taken before a time.
func (b *builder) endLeads(l *lane, before, at time.Duration) {
	for _, r := range l.rows {
		for _, i := range r.items {
			if i.lasting && r.Kind == "leads" && i.by.At < before {
				r.end(i, at)
				delete(b.leads, leadKey(i.by))
			}
		}
	}
}

// superseded marks a leadership that goes on after another star took the stream: its bar looks otherwise from then on. That of a
// deleted stream ends.
func (b *builder) superseded(e *Event) {
	if e.What != "writer" {
		return
	}
	id := e.Get("id")
	var on []*item // they go on
	for _, i := range b.leading[id] {
		switch {
		case !i.lasting:
		case e.Get("deleted") == "true":
			i.row.end(i, e.At)
		case i.kind == "lead" && i.by.Get("epoch") != e.Get("under"):
			i.row.end(i, e.At)
			stale := b.put(i.row, item{at: e.At, kind: "stale-lead", label: i.label + ", superseded", by: i.by, lasting: true})
			b.leads[leadKey(i.by)] = stale
			on = append(on, stale)
		default:
			on = append(on, i)
		}
	}
	b.leading[id] = on
}

// operationKind is the kind of the item of an operation: an open is not a slot's fate.
func operationKind(kind string) string {
	if kind == "open" {
		return "open-op"
	}
	return kind
}

// asked begins an operation of a client.
func (b *builder) asked(l *lane, e *Event) {
	r := l.free("operations", "operations", e.At, mostOps)
	b.ops[e.Get("op")] = b.put(r, item{
		at: e.At, kind: operationKind(e.Get("kind")), label: e.Get("kind") + " " + e.Get("stream"), by: e, lasting: true,
	})
}

// told ends one.
func (b *builder) told(e *Event) {
	i := b.ops[e.Get("op")]
	if i == nil {
		return
	}
	i.row.end(i, e.At)
	for _, f := range e.Fields {
		if f.Key != "op" && f.Key != "kind" {
			i.text += "\n" + f.Key + ": " + f.Value
		}
	}
	switch e.Get("outcome") {
	case "failed":
		i.kind = "failed-op"
	case "unknown":
		i.kind = "unknown-op"
	}
	if seqs := e.Get("seqs"); seqs != "" {
		i.label += " " + runLabel(seqs)
	}
	b.shows(i, e)
}

// runLabel tells a run of seqs, which may be empty.
func runLabel(seqs string) string {
	first, next, found := strings.Cut(seqs, "..")
	if n, err := strconv.Atoi(first); found && err == nil && strconv.Itoa(n-1) == next {
		return "nothing from " + first
	}
	return seqs
}
