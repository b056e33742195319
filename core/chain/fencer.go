package chain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/fanout"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/blob"
)

// patience is how long a question about one slot is asked again before the answer is ErrUnavailable.
const patience = 15 * time.Second

// SlotError says that the stores that answer leave a slot open.
type SlotError struct {
	Key   string
	Votes string
	Cause error // the last of what kept a store from counting, or nil
}

func (e *SlotError) Error() string {
	text := fmt.Sprintf("slot %s is not to be decided now (%s); bring back the stores that do not answer", e.Key, e.Votes)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Is makes the error an ErrUnavailable.
func (e *SlotError) Is(target error) bool { return target == ErrUnavailable }

func (e *SlotError) Unwrap() error { return e.Cause }

// fencer looks for the cut of one epoch.
type fencer struct {
	env    env.Env
	row    Row
	stores []Store
	quorum int
	window int
	header format.Header // of the epoch; the slot is filled in
	cause  error         // what kept a store from counting, last
}

// find resolves slot after slot from the checkpoint on, until one is the cut.
func (f *fencer) find(ctx context.Context) (keys.Slot, error) {
	if err := f.ahead(ctx); err != nil {
		return 0, err
	}
	for slot := f.row.Checkpoint(); ; slot++ {
		in, err := f.resolve(ctx, slot)
		if err != nil || !in {
			return slot, err
		}
	}
}

// resolve decides whether a slot belongs to the chain. It counts only what it reads, never what it wrote.
func (f *fencer) resolve(ctx context.Context, slot keys.Slot) (in bool, err error) {
	key := f.key(slot)
	deadline := f.env.Run.Elapsed() + patience
	tries := backoff.New(f.env.Run, backoff.Objects)
	for {
		cells := f.look(ctx, slot)
		stores, quorum := len(f.stores), f.quorum
		if f.env.Bugs.Has(planted.FencerTrustsOneStore) {
			cells, stores, quorum = firstAnswer(cells), 1, 1
		}
		counted, flight, rivals := count(cells)
		if rivals {
			f.env.Run.Note("two flights in one slot", "slot", key)
		}
		filled := false
		switch v := judge(counted, stores, quorum); {
		case v == belongs:
			return true, nil
		case v == isCut, v == poison && f.env.Bugs.Has(planted.NoPoison):
			return false, nil
		case v == complete:
			filled = f.fill(ctx, "fence.complete", slot, cells, flight)
		case v == poison:
			filled = f.fill(ctx, "fence.poison", slot, cells, f.poison(slot, "cut"))
		}
		if f.env.Run.Elapsed() >= deadline {
			return false, &SlotError{key, fmt.Sprintf("%d stores: %+v", stores, counted), f.cause}
		}
		if filled {
			continue
		}
		if err := tries.Wait(ctx); err != nil {
			return false, err
		}
	}
}

// firstAnswer trusts the first store that answers: a planted bug.
func firstAnswer(cells []cell) []cell {
	only := make([]cell, len(cells))
	for i, c := range cells {
		if c.state != cellUnknown {
			only[i] = c
			break
		}
	}
	return only
}

// look reads a slot position in all stores.
func (f *fencer) look(ctx context.Context, slot keys.Slot) []cell {
	key := f.key(slot)
	cells := make([]cell, len(f.stores))
	f.each(ctx, func(ctx context.Context, i int) {
		try, cancel := f.env.Run.WithTimeout(ctx, putTimeout)
		defer cancel()
		object, err := f.stores[i].Blob.Get(try, key, blob.All())
		switch {
		case errors.Is(err, blob.ErrNotFound):
			cells[i].state = cellEmpty
			return
		case err == nil:
			f.env.Run.Offload(ctx, func() { cells[i], err = readCell(key, object) })
		}
		if err != nil {
			f.cause = fmt.Errorf("store %s: %w", f.stores[i].ID, err)
		}
	})
	return cells
}

// fill puts an object where a store has nothing. It says whether every put was answered, so that looking again is worth it.
func (f *fencer) fill(ctx context.Context, step string, slot keys.Slot, cells []cell, object []byte) (answered bool) {
	answered = true
	f.each(ctx, func(ctx context.Context, i int) {
		if cells[i].state != cellEmpty {
			return
		}
		f.env.Run.Step(ctx, step)
		if putOnce(ctx, f.env, f.stores[i], f.key(slot), object) == blob.Unknown {
			answered = false
		}
	})
	return answered
}

// each runs a job for every store at once. A job that is left undone, for the process stops, counts for nothing.
func (f *fencer) each(ctx context.Context, job func(ctx context.Context, i int)) {
	_ = fanout.Each(ctx, f.env.Run, "chain.fence", len(f.stores), len(f.stores), job)
}

func (f *fencer) key(slot keys.Slot) string {
	return keys.SlotObject(f.row.Star, f.row.Epoch, slot)
}

// poison is the object that keeps flights out of a slot of the epoch.
func (f *fencer) poison(slot keys.Slot, reason string) []byte {
	header := f.header
	header.Slot = slot
	return format.EncodePoison(header, format.Poison{By: f.env.Star, Boot: f.env.Boot, Reason: reason})
}
