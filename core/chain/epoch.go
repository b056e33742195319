package chain

import (
	"context"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
)

// epoch is a chain epoch that this process writes.
type epoch struct {
	number  keys.Epoch
	prefix  keys.Slot // slots below it are durable, and all before them
	next    keys.Slot // the slot of the next flight
	sealed  []*flight // of the slots from prefix to next
	waiting []*flight // not sealed; the last is open
	lagging []*flight // in the durable prefix, with copies still under way
	ended   bool      // nothing more is sealed or acknowledged

	ctx    context.Context // of everything that is put
	cancel context.CancelFunc
}

// open is the flight that takes batches: the last that waits, unless it is full.
func (w *Writer) open(e *epoch) *flight {
	if n := len(e.waiting); n > 0 && e.waiting[n-1].bytes < w.set.FlightBytes {
		return e.waiting[n-1]
	}
	f := newFlight(w.env.Run.Elapsed())
	e.waiting = append(e.waiting, f)
	w.wake.Broadcast()
	return f
}

// sealing is the state of the epoch that decides about its next flight.
func (w *Writer) sealing(e *epoch) sealing {
	s := sealing{waiting: len(e.waiting), inFlight: len(e.sealed), closing: w.closing}
	if s.waiting > 0 {
		f := e.waiting[0]
		s.batches, s.bytes, s.age = len(f.batches) > 0, f.bytes, w.env.Run.Elapsed()-f.opened
	}
	return s
}

// write seals the epoch's flights until it ends, ctx ends, or a clean stop has nothing left to wait for.
func (w *Writer) write(ctx context.Context, e *epoch) {
	for ctx.Err() == nil && !e.ended && !w.stopped(e) {
		sealing := w.sealing(e)
		if w.env.Bugs.Has(planted.NoWindow) {
			sealing.inFlight = min(sealing.inFlight, 1)
		}
		seal, wait := sealing.decide(w.set)
		if seal {
			w.seal(e)
			continue
		}
		if wait < 0 {
			_ = w.wake.Wait(ctx) // ctx is looked at above
			continue
		}
		timed, cancel := w.env.Run.WithTimeout(ctx, wait)
		_ = w.wake.Wait(timed)
		cancel()
	}
}

// stopped says whether a clean stop may close the epoch: everything is decided, or nobody waits for that any more.
func (w *Writer) stopped(e *epoch) bool {
	return w.closing && (w.hurried || len(e.waiting)+len(e.sealed) == 0)
}
