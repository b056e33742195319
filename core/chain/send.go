package chain

import (
	"context"
	"time"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
)

// lagTime is how long copies beyond the quorum are tried.
const lagTime = 30 * time.Second

// seal gives the first waiting flight its slot and sends it off.
func (w *Writer) seal(e *epoch) {
	f := pop(&e.waiting)
	f.at = nil
	f.slot, f.sealed = e.next, w.env.Run.Elapsed()
	e.next++
	e.sealed = append(e.sealed, f)
	w.env.Run.Go("chain.flight", func(context.Context) { w.send(e, f) })
}

// send encodes a sealed flight and puts it into all stores of the set at once.
func (w *Writer) send(e *epoch, f *flight) {
	header := format.Header{Star: w.env.Star, Boot: w.env.Boot, Epoch: e.number, Slot: f.slot, Class: w.set.Class}
	var object []byte
	var err error
	w.env.Run.Offload(e.ctx, func() { object, f.entries, err = format.EncodeFlight(header, f.join()) })
	if e.ended {
		return
	}
	if err != nil { // to leave it out would leave a gap in its stream
		w.env.Run.Note("flight cannot be encoded", "epoch", e.number, "slot", f.slot, "error", err)
		w.end(e, "a flight cannot be encoded")
		return
	}
	f.windows, f.raw = nil, nil
	f.sizeBytes, f.unplaced = len(object), len(w.set.Stores)
	ctx, cancel := w.env.Run.WithCancel(e.ctx)
	f.giveUp = cancel // set: the flight is on its way
	for _, store := range w.set.Stores {
		w.env.Run.Go("chain.put", func(context.Context) {
			standing := place(ctx, w.env, store, header.Key(), object, func() bool { return w.enough(f) }, func(err error) { w.heard(store, err) })
			w.placed(e, f, store, standing)
		})
	}
	w.advance(e)
}

// enough says whether a copy that is still missing is one too many to wait for.
func (w *Writer) enough(f *flight) bool {
	return f.durable > 0 && w.env.Run.Elapsed()-f.durable >= lagTime
}

// placed counts what became of a flight in one store.
func (w *Writer) placed(e *epoch, f *flight, store Store, s standing) {
	f.unplaced--
	if f.unplaced == 0 {
		f.giveUp() // frees the context; nothing is under way any more
	}
	if e.ended {
		return
	}
	switch s {
	case unclear: // given up
	case ours:
		f.tally.copies++
		w.advance(e)
	case poisoned, foreign:
		f.tally.lost++
		w.env.Run.Note("slot lost to a store", "epoch", e.number, "slot", f.slot, "store", store.ID, "foreign", s == foreign)
		switch {
		case w.env.Bugs.Has(planted.DeadGoesOn):
		case s == poisoned:
			// Who poisons has fenced the row before. To wait for the other stores could take as long as one of them is dark.
			w.end(e, "a slot is poisoned")
		case f.tally.dead(len(w.set.Stores), w.set.Quorum):
			w.end(e, "a slot is dead")
		}
	}
}

// durable says whether a sealed flight is durable: quorum copies are known.
func (w *Writer) durable(f *flight) bool {
	quorum := w.set.Quorum
	if w.env.Bugs.Has(planted.AckBeforeQuorum) {
		quorum--
	}
	return f.giveUp != nil && f.tally.durable(quorum)
}

// advance moves the durable prefix over every flight that is durable with all before it, and resolves their batches.
func (w *Writer) advance(e *epoch) {
	for len(e.sealed) > 0 && !e.ended && w.durable(e.sealed[0]) {
		f := pop(&e.sealed)
		e.prefix++
		f.durable = w.env.Run.Elapsed()
		w.lag(e, f)
		w.sink.Durable(f.report(e.number))
		w.resolve(f, Durable)
	}
	if w.env.Bugs.Has(planted.NoPrefixAck) {
		w.resolveDurable(e)
	}
	w.wake.Broadcast()
}

// resolveDurable acknowledges slots whatever the earlier ones are: a planted bug.
func (w *Writer) resolveDurable(e *epoch) {
	for _, f := range e.sealed {
		if w.durable(f) {
			w.resolve(f, Durable)
		}
	}
}

// lag keeps an eye on the copies that a durable flight still lacks. Of an epoch at most a window of flights lags: a dark
// zone must not hold the memory of all that is written beside it.
func (w *Writer) lag(e *epoch, f *flight) {
	lagging := e.lagging[:0]
	for _, g := range append(e.lagging, f) {
		if g.unplaced > 0 {
			lagging = append(lagging, g)
		}
	}
	if len(lagging) > w.set.Window {
		lagging[0].giveUp()
		lagging = lagging[1:]
	}
	if len(lagging) == 0 {
		lagging = nil
	}
	e.lagging = lagging
}

// resolve tells the batches of a flight, and those who asked for a barrier, what became of it. Once.
func (w *Writer) resolve(f *flight, outcome Outcome) {
	batches, barriers := f.batches, f.barriers
	f.batches, f.barriers = nil, nil
	for _, b := range batches {
		w.admitted -= b.bytes
		w.count(b.stream, -1)
		b.answer(outcome)
	}
	for _, done := range barriers {
		done(outcome)
	}
	w.decided.Broadcast()
}

// count keeps the number of undecided batches of each stream.
func (w *Writer) count(stream keys.StreamID, by int) {
	w.held[stream] += by
	if w.held[stream] == 0 {
		delete(w.held, stream)
	}
}
