package checks

import (
	"fmt"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/history"
)

// asked names an append.
type asked struct {
	client history.Client
	op     history.OpID
}

// append is an append in words.
func (n *naming) append(a asked) string {
	return fmt.Sprintf("append %d of %s", a.op, n.client(a.client))
}

var _ history.Recorder = (*Observer)(nil)

// Invoke remembers which stream an append is for.
func (o *Observer) Invoke(e history.Invoke) {
	if e.Kind == history.Append {
		o.asked[asked{e.Client, e.Op}] = e.Stream
	}
	if p := o.world.Running(); p != nil && o.clients[e.Client] == "" {
		o.clients[e.Client] = p.Name()
	}
}

// Complete looks at every acknowledgement.
func (o *Observer) Complete(e history.Complete) {
	if e.Kind != history.Append {
		return
	}
	key := asked{e.Client, e.Op}
	name := o.asked[key]
	delete(o.asked, key)
	if e.Outcome == history.OK {
		o.acked(name, ack{first: keys.Seq(e.First), next: keys.Seq(e.Next), asked: key, names: o.naming})
	}
}

// Final is of no interest here.
func (o *Observer) Final(history.Final) {}

// ack is an acknowledgement and where its records are.
type ack struct {
	asked
	names       *naming
	stream      *stream
	first, next keys.Seq
	epoch       keys.StreamEpoch
	in          *epoch
	slot        keys.Slot
}

func (a ack) String() string {
	return fmt.Sprintf("%s on stream %s was acknowledged at %s in slot %d of %s", a.names.append(a.asked), a.stream, seqs(a.first, a.next), a.slot, a.in)
}

// about is the acknowledgement in the trace.
func (a ack) about() []any {
	kv := []any{"op", a.path(), "stream", a.stream.String(), "seqs", runOf(a.first, a.next)}
	if a.in != nil {
		kv = append(kv, "epoch", a.in.path(), "slot", a.slot)
	}
	return kv
}

// acked: the records lie in a slot of which a quorum of stores has intact copies, in the durable prefix of an epoch and below
// its cut, and the stream was neither released cleanly nor taken by a later epoch without them.
func (o *Observer) acked(name string, a ack) {
	o.looked("ack-durable")
	s := o.stream(o.ids[name])
	a.stream = s
	why := o.nowhere(s)
	for i := len(s.windows) - 1; i >= 0; i-- {
		w := s.windows[i]
		if w.entry.First > a.first || w.entry.End() < a.next {
			continue
		}
		if reason := w.loose(); reason.why != "" {
			why = reason
			continue
		}
		a.epoch, a.in, a.slot = w.entry.StreamEpoch, w.epoch, w.slot.number
		if w.slot.acked == nil {
			w.slot.acked = &a
		}
		s.keep(&a)
		o.tellAck(s, a)
		if a.epoch <= s.mark.epoch && a.next > s.mark.end {
			o.Add("mark-covers", "stream %s: %s under epoch %d, which had been released cleanly with refs up to %d", s, a, a.epoch, s.mark.end)
		}
		if a.epoch < s.taken.epoch && a.next > s.taken.end {
			o.Add("gate-covers", "stream %s: %s under epoch %d, though epoch %d had begun with refs up to %d", s, a, a.epoch, s.taken.epoch, s.taken.end)
		}
		return
	}
	o.Add("ack-durable", "%s on stream %s was acknowledged at %s, but %s", worded{a.asked, o.naming}, streamName(name), seqs(a.first, a.next), why)
}

// nowhere says that no slot holds what was acknowledged on a stream, and where it ought to be: in the chain of who leads the stream.
func (o *Observer) nowhere(s *stream) loose {
	if s.writer == nil {
		return loose{why: "no slot holds them, and nobody has led the stream"}
	}
	e := o.epoch(epochKey{keys.StarID(s.writer.GetStar()), keys.Epoch(s.writer.GetChainEpoch())})
	return loose{why: fmt.Sprintf("no slot holds them; the stream is led in %s, under its epoch %d", e, s.writer.GetStreamEpoch())}
}

// path names an operation in one word.
func (a asked) path() string { return fmt.Sprintf("%d/%d", a.client, a.op) }

// worded is an append that can be told.
type worded struct {
	asked
	names *naming
}

func (w worded) String() string { return w.names.append(w.asked) }

// loose says why what is in a slot is not part of the chain.
type loose struct {
	why   string
	epoch *epoch
	slot  keys.Slot
}

func (l loose) String() string { return l.why }

// loose says why what is in the window is not part of the chain, if so.
func (w windowAt) loose() loose {
	e, at, copies := w.epoch, w.slot.number, w.slot.flights()
	because := func(format string, args ...any) loose { return loose{fmt.Sprintf(format, args...), e, at} }
	switch {
	case copies < int(e.row.GetQuorum()):
		return because("slot %d of %s holds them in %s; the quorum is %d", at, e, inStores(copies), e.row.GetQuorum())
	case e.within(at):
		return loose{}
	case e.row != nil && e.row.Cut != nil:
		return because("slot %d of %s holds them and lies beyond its cut %d", at, e, e.row.GetCut())
	default:
		return because("slot %d of %s holds them and lies beyond its durable prefix, which ends before slot %d", at, e, e.prefix)
	}
}

// keep remembers the farthest acknowledgement of each stream epoch.
func (s *stream) keep(a *ack) {
	for i := len(s.acks) - 1; i >= 0; i-- {
		if s.acks[i].epoch == a.epoch {
			if a.next > s.acks[i].next {
				s.acks[i] = a
			}
			return
		}
	}
	s.acks = append(s.acks, a)
}
