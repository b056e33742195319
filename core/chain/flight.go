package chain

import (
	"context"
	"slices"
	"time"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
)

// flight is a flight on its way: open, waiting for a slot, or sealed into one.
type flight struct {
	windows  []format.Window
	raw      [][][]byte            // the batches of each window, until they are joined
	at       map[keys.StreamID]int // the open window of each stream; nil once sealed
	batches  []undecided
	barriers []func(Outcome)
	bytes    int
	opened   time.Duration

	slot      keys.Slot
	sealed    time.Duration
	entries   []format.Entry
	sizeBytes int
	tally     tally
	unplaced  int // stores where it is not known yet what became of the flight
	durable   time.Duration
	giveUp    context.CancelFunc
}

// undecided is a batch whose outcome is not known.
type undecided struct {
	stream keys.StreamID
	bytes  int
	done   func(Outcome) // nil once it was called
}

// answer tells the outcome, unless one was told before.
func (b *undecided) answer(outcome Outcome) {
	if done := b.done; done != nil {
		b.done = nil
		done(outcome)
	}
}

func newFlight(now time.Duration) *flight {
	return &flight{at: map[keys.StreamID]int{}, opened: now}
}

// add puts a batch behind those of its stream. Batches that touch, of one stream epoch, share a window.
func (f *flight) add(b Batch) {
	f.bytes += len(b.Raw)
	f.batches = append(f.batches, undecided{b.Stream, len(b.Raw), b.Done})
	if i, ok := f.at[b.Stream]; ok {
		w := &f.windows[i]
		if w.StreamEpoch == b.StreamEpoch && w.First+keys.Seq(w.Count) == b.First {
			w.Count += b.Count
			w.LastStamp = b.LastStamp
			f.raw[i] = append(f.raw[i], b.Raw)
			return
		}
	}
	f.at[b.Stream] = len(f.windows)
	f.windows = append(f.windows, format.Window{
		Stream: b.Stream, StreamEpoch: b.StreamEpoch, First: b.First, Count: b.Count,
		FirstStamp: b.FirstStamp, LastStamp: b.LastStamp,
	})
	f.raw = append(f.raw, [][]byte{b.Raw})
}

// answer tells the outcome of every batch, and keeps them undecided.
func (f *flight) answer(outcome Outcome) {
	for i := range f.batches {
		f.batches[i].answer(outcome)
	}
}

// join puts the batches of each window back to back. It is long, and works on a sealed flight alone: off the baton.
func (f *flight) join() []format.Window {
	for i, raw := range f.raw {
		f.windows[i].Raw = raw[0]
		if len(raw) > 1 {
			f.windows[i].Raw = slices.Concat(raw...)
		}
	}
	return f.windows
}

// report is the flight as the sink sees it.
func (f *flight) report(epoch keys.Epoch) *Flight {
	return &Flight{Epoch: epoch, Slot: f.slot, Entries: f.entries, SizeBytes: f.sizeBytes, Sealed: f.sealed}
}
