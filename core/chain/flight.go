package chain

import (
	"context"
	"time"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
)

// flight is a flight on its way: open, waiting for a slot, or sealed into one.
type flight struct {
	windows  []format.Window
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
	done   func(Outcome)
}

func newFlight(now time.Duration) *flight {
	return &flight{at: map[keys.StreamID]int{}, opened: now}
}

// add puts a batch behind those of its stream. Batches that touch, of one stream epoch, share a window. The first batch of
// a window is not copied; growing one copies it away from what its sender may still read.
func (f *flight) add(b Batch) {
	f.bytes += len(b.Raw)
	f.batches = append(f.batches, undecided{b.Stream, len(b.Raw), b.Done})
	if i, ok := f.at[b.Stream]; ok {
		w := &f.windows[i]
		if w.StreamEpoch == b.StreamEpoch && w.First+keys.Seq(w.Count) == b.First {
			w.Count += b.Count
			w.LastStamp = b.LastStamp
			w.Raw = append(w.Raw, b.Raw...)
			return
		}
	}
	f.at[b.Stream] = len(f.windows)
	f.windows = append(f.windows, format.Window{
		Stream: b.Stream, StreamEpoch: b.StreamEpoch, First: b.First, Count: b.Count,
		FirstStamp: b.FirstStamp, LastStamp: b.LastStamp, Raw: b.Raw[:len(b.Raw):len(b.Raw)],
	})
}

// report is the flight as the sink sees it.
func (f *flight) report(epoch keys.Epoch) *Flight {
	return &Flight{Epoch: epoch, Slot: f.slot, Entries: f.entries, SizeBytes: f.sizeBytes, Sealed: f.sealed}
}
