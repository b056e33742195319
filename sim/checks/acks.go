package checks

import (
	"fmt"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/history"
)

// asked names an operation under way.
type asked struct {
	client history.Client
	op     history.OpID
}

var _ history.Recorder = (*Observer)(nil)

// Invoke remembers which stream an append is for.
func (o *Observer) Invoke(e history.Invoke) {
	if e.Kind == history.Append {
		o.asked[asked{e.Client, e.Op}] = e.Stream
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
		o.acked(name, ack{first: keys.Seq(e.First), next: keys.Seq(e.Next), client: e.Client, op: e.Op})
	}
}

// Final is of no interest here.
func (o *Observer) Final(history.Final) {}

// ack is an acknowledgement and where its records are.
type ack struct {
	client      history.Client
	op          history.OpID
	first, next keys.Seq
	epoch       keys.StreamEpoch
	in          epochKey
	slot        keys.Slot
}

func (a ack) String() string {
	return fmt.Sprintf("append %d of client %d was acknowledged at seqs %d to %d in slot %d of %s", a.op, a.client, a.first, a.next-1, a.slot, a.in)
}

// acked: the records lie in a slot of which a quorum of stores has intact copies, in the durable prefix of an epoch and below
// its cut, and the stream was not released cleanly without them.
func (o *Observer) acked(name string, a ack) {
	o.looked("ack-durable")
	s := o.stream(o.ids[name])
	why := "no slot holds them"
	for i := len(s.windows) - 1; i >= 0; i-- {
		w := s.windows[i]
		if w.entry.First > a.first || w.entry.End() < a.next {
			continue
		}
		if reason := w.loose(); reason != "" {
			why = reason
			continue
		}
		a.epoch, a.in, a.slot = w.entry.StreamEpoch, w.epoch.epochKey, w.slot.number
		if w.slot.acked == nil {
			w.slot.acked = &a
		}
		s.keep(a)
		if a.epoch <= s.mark.epoch && a.next > s.mark.end {
			o.Add("mark-covers", "stream %s: %s under epoch %d, which had been released cleanly with refs up to %d", s, a, a.epoch, s.mark.end)
		}
		return
	}
	o.Add("ack-durable", "append %d of client %d on stream %s was acknowledged at seqs %d to %d, but %s", a.op, a.client, name, a.first, a.next-1, why)
}

// loose says why what is in the window is not part of the chain, if so.
func (w windowAt) loose() string {
	e, at, copies := w.epoch, w.slot.number, w.slot.flights()
	switch {
	case copies < int(e.row.GetQuorum()):
		return fmt.Sprintf("slot %d of %s holds them in %d stores; the quorum is %d", at, e, copies, e.row.GetQuorum())
	case e.within(at):
		return ""
	case e.row != nil && e.row.Cut != nil:
		return fmt.Sprintf("slot %d of %s holds them and lies beyond its cut %d", at, e, e.row.GetCut())
	default:
		return fmt.Sprintf("slot %d of %s holds them and lies beyond its durable prefix, which ends before slot %d", at, e, e.prefix)
	}
}

// keep remembers the farthest acknowledgement of each stream epoch.
func (s *stream) keep(a ack) {
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
