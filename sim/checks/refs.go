package checks

import (
	"slices"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim/simmeta"
)

// refRow looks at a ref row: rows touch, each names windows that are there, and the last one stays.
func (o *Observer) refRow(id keys.StreamID, w simmeta.Write) {
	s := o.stream(id)
	first, err := keys.ParseRefRow(w.Key)
	if err != nil {
		o.Add("rows-decode", "the row %s, written by %s, is no ref row", w.Key, o.who(w.By))
		return
	}
	i, there := s.find(first)
	if w.New == nil {
		o.looked("refs-anchor")
		o.tellRefs(s, first, nil, w.By)
		if there && i == len(s.rows)-1 {
			o.Add("refs-anchor", "%s deleted the last ref row of stream %s, %s", o.who(w.By), s, seqs(first, s.tail()))
		}
		if there {
			s.rows = slices.Delete(s.rows, i, i+1)
		}
		return
	}
	old, now, ok := decode[records.RefRow](o, w)
	if !ok {
		return
	}
	o.tellRefs(s, first, now, w.By)
	o.rowShape(s, first, now, w.By)
	end := keys.Seq(now.GetEnd())
	if there {
		o.rowKept(s, first, old, now, w.By)
		s.rows[i].end = end
	} else {
		o.looked("refs-touch")
		if first != s.tail() {
			o.Add("refs-touch", "%s created a ref row of stream %s for %s, but its refs end at %d", o.who(w.By), s, seqs(first, end), s.tail())
		}
		s.rows = slices.Insert(s.rows, i, refRow{first, end})
	}
	if now.GetCleanEpoch() != old.GetCleanEpoch() {
		o.marked(s, keys.StreamEpoch(now.GetCleanEpoch()), end, w.By)
	}
}

// rowShape: the entries of a row touch, fill it, and are truthful.
func (o *Observer) rowShape(s *stream, first keys.Seq, row *records.RefRow, by string) {
	next := uint64(first)
	epoch := uint64(0)
	for _, span := range row.GetSpans() {
		if span.GetFirst() != next || span.GetStreamEpoch() < epoch {
			o.Add("refs-touch", "%s wrote the ref row %d of stream %s with an entry at seq %d of epoch %d, behind seq %d of epoch %d",
				o.who(by), first, s, span.GetFirst(), span.GetStreamEpoch(), next, epoch)
		}
		next, epoch = span.GetFirst()+uint64(span.GetCount()), span.GetStreamEpoch()
		o.truthful(s, first, span, by)
	}
	if next != row.GetEnd() || row.GetEnd() <= uint64(first) {
		o.Add("refs-touch", "%s wrote the ref row %d of stream %s with end %d; its entries end at %d", o.who(by), first, s, row.GetEnd(), next)
	}
}

// truthful: the entry names a window that is in its slot, in a quorum of stores, in a part of the chain.
func (o *Observer) truthful(s *stream, first keys.Seq, span *records.SpanEntry, by string) {
	o.looked("refs-truthful")
	e := o.epoch(epochKey{keys.StarID(span.GetChain()), keys.Epoch(span.GetEpoch())})
	at := keys.Slot(span.GetSlot())
	slot := e.slots[at]
	if slot == nil || !slices.ContainsFunc(slot.entries, func(w format.Entry) bool { return names(span, w, s.id) }) {
		o.Add("refs-truthful", "%s wrote the ref row %d of stream %s, which names %s in slot %d of %s: no such window is there",
			o.who(by), first, s, seqs(span.GetFirst(), span.GetFirst()+uint64(span.GetCount())), at, e)
		return
	}
	if !e.within(at) || slot.flights() < int(e.row.GetQuorum()) {
		o.Add("refs-truthful", "%s wrote the ref row %d of stream %s, which names slot %d of %s: that is in %s and not in the durable part of the chain",
			o.who(by), first, s, at, e, inStores(slot.flights()))
	}
}

func names(span *records.SpanEntry, w format.Entry, id keys.StreamID) bool {
	return w.Stream == id && uint64(w.First) == span.GetFirst() && w.Count == span.GetCount() && w.Offset == span.GetOffset() &&
		w.Length == span.GetLength() && w.CRC == span.GetCrc() && uint64(w.StreamEpoch) == span.GetStreamEpoch() && uint32(w.Codec) == span.GetCodec()
}

// rowKept: nothing of a row that stands changes but its mark, which never falls.
func (o *Observer) rowKept(s *stream, first keys.Seq, old, now *records.RefRow, by string) {
	same := len(old.GetSpans()) == len(now.GetSpans()) && old.GetEnd() == now.GetEnd() && old.GetBuilder() == now.GetBuilder() &&
		old.GetEpoch() == now.GetEpoch() && old.GetLastStampUs() == now.GetLastStampUs()
	if !same {
		o.Add("refs-kept", "%s changed the ref row %d of stream %s from {%s} to {%s}", o.who(by), first, s, rowText(old), rowText(now))
	}
	if now.GetCleanEpoch() < old.GetCleanEpoch() {
		o.Add("refs-kept", "%s took the clean-release mark on the ref row %d of stream %s from epoch %d back to %d",
			o.who(by), first, s, old.GetCleanEpoch(), now.GetCleanEpoch())
	}
}

// marked looks at a clean-release mark: everything acknowledged up to its epoch is covered by refs.
func (o *Observer) marked(s *stream, epoch keys.StreamEpoch, end keys.Seq, by string) {
	o.looked("mark-covers")
	if epoch >= s.mark.epoch {
		s.mark = reach{epoch, end}
	}
	for _, a := range s.acks {
		if a.epoch <= epoch && a.next > end {
			o.Add("mark-covers", "%s marked epoch %d of stream %s as cleanly released, but refs end at %d and %s", o.who(by), epoch, s, end, a)
			return
		}
	}
}

// took: whoever begins to lead a stream has seen to it that refs cover what was acknowledged before.
func (o *Observer) took(s *stream, epoch keys.StreamEpoch, by string) {
	o.looked("gate-covers")
	s.taken = reach{epoch, s.tail()}
	for _, a := range s.acks {
		if a.next > s.taken.end {
			o.Add("gate-covers", "%s began epoch %d of stream %s, but refs end at %d and %s", o.who(by), epoch, s, s.taken.end, a)
			return
		}
	}
}
