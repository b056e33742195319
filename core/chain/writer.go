package chain

import (
	"context"

	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/run"
)

// Writer writes one class of a star's chain: one epoch after the other, one at a time.
type Writer struct {
	env  env.Env
	set  Set
	sink Sink

	current  *epoch                 // the epoch that takes batches; nil while there is none
	admitted int                    // bytes of undecided batches
	held     map[keys.StreamID]int  // undecided batches of each stream
	trouble  map[keys.StoreID]error // why a store did not answer the last put; nil where it did
	closing  bool                   // a clean stop was asked for
	hurried  bool                   // and it waits for nothing any more
	over     bool                   // Run has returned
	clean    bool                   // and the last epoch is closed
	unmint   context.CancelFunc     // stops minting

	wake    run.Signal // the loop has something to look at
	decided run.Signal // a flight was resolved
	changed run.Signal // current changed, or Run has returned
}

// NewWriter makes the writer of a set. It writes nothing until Run runs.
func NewWriter(e env.Env, set Set, sink Sink) *Writer {
	return &Writer{
		env: e, set: set, sink: sink, held: map[keys.StreamID]int{}, trouble: map[keys.StoreID]error{}, unmint: func() {},
		wake: e.Run.NewSignal(), decided: e.Run.NewSignal(), changed: e.Run.NewSignal(),
	}
}

// Run is the writer's task: it mints at once, writes, closes what ended and mints again, until ctx ends or Close has closed
// the last epoch.
func (w *Writer) Run(ctx context.Context) {
	w.clean = w.run(ctx)
	w.over = true
	w.changed.Broadcast()
}

// run says whether no epoch of this process is left open.
func (w *Writer) run(ctx context.Context) (clean bool) {
	for !w.closing {
		minting, cancel := w.env.Run.WithCancel(ctx)
		w.unmint = cancel
		number, err := w.mint(minting)
		cancel()
		if err != nil { // ctx ended, or a clean stop came first
			return ctx.Err() == nil
		}
		e := w.begin(ctx, number)
		w.write(ctx, e)
		w.end(e, "the writer stops")
		if err := w.finish(ctx, e); err != nil {
			return false
		}
	}
	return true
}

// begin opens a minted epoch for batches.
func (w *Writer) begin(ctx context.Context, number keys.Epoch) *epoch {
	e := &epoch{number: number}
	e.ctx, e.cancel = w.env.Run.WithCancel(ctx)
	w.current = e
	w.changed.Broadcast()
	return e
}

// Current is the chain epoch that leaderships may write into; false while there is none.
func (w *Writer) Current() (keys.Epoch, bool) {
	if w.current == nil || w.closing {
		return 0, false
	}
	return w.current.number, true
}

// Changed is broadcast when Current changes.
func (w *Writer) Changed() run.Signal { return w.changed }

// Append puts a batch into the open flight. ErrEnded, with nothing taken, if its epoch is not the current one.
func (w *Writer) Append(b Batch) error {
	if number, ok := w.Current(); !ok || number != b.Epoch {
		return ErrEnded
	}
	f := w.open(w.current)
	f.add(b)
	w.admitted += len(b.Raw)
	w.count(b.Stream, 1)
	if len(f.batches) == 1 || f.bytes >= w.set.FlightBytes {
		w.wake.Broadcast()
	}
	return nil
}

// Barrier has done called with Durable once a flight sealed after this call is in the durable prefix, and all before it
// with it; with Indeterminate if the epoch ends first. ErrEnded, with nothing taken, if the epoch is not the current one.
// The flight is the next one with batches, or an empty one where none come within the linger.
func (w *Writer) Barrier(number keys.Epoch, done func(Outcome)) error {
	if current, ok := w.Current(); !ok || number != current {
		return ErrEnded
	}
	// The last that waits: what was sequenced before this call is in it or before it.
	if sealed := w.current.sealed; w.env.Bugs.Has(planted.BarrierInFlight) && len(sealed) > 0 {
		sealed[len(sealed)-1].barriers = append(sealed[len(sealed)-1].barriers, done)
		return nil
	}
	f := w.open(w.current)
	f.barriers = append(f.barriers, done)
	return nil
}

// Fenced tells that the row of the epoch was found fenced.
func (w *Writer) Fenced(number keys.Epoch) {
	if e := w.current; e != nil && e.number == number {
		w.end(e, "its row is fenced")
	}
}

// Settled waits until no undecided flight, of any epoch of this process, holds the stream.
func (w *Writer) Settled(ctx context.Context, stream keys.StreamID) error {
	for w.held[stream] > 0 && !w.env.Bugs.Has(planted.FlightsNotAwaited) {
		if err := w.decided.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Admitted is how many bytes of batches are undecided.
func (w *Writer) Admitted() int { return w.admitted }

// Close ends the writing cleanly: it seals what waits, waits for what is in flight, and closes the epoch by its row. No
// epoch is minted afterwards. Where ctx ends first, the epoch is closed as it stands, behind, and ctx's error returned.
// ErrEnded where the writer stopped without closing its epoch.
func (w *Writer) Close(ctx context.Context) error {
	w.closing = true
	w.unmint()
	w.wake.Broadcast()
	w.changed.Broadcast()
	for !w.over {
		if err := w.changed.Wait(ctx); err != nil {
			w.hurried = true
			w.wake.Broadcast()
			return err
		}
	}
	if !w.clean {
		return ErrEnded
	}
	return nil
}
