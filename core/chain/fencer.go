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
const patience = 5 * time.Second

// SlotError says that the stores that answer leave a slot open.
type SlotError struct {
	Key   string
	Votes string
	Cause error // the last of what kept a store from counting, or nil
}

func (e *SlotError) Error() string {
	text := fmt.Sprintf("slot %s cannot be decided (%s)", e.Key, e.Votes)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text + "; bring back the stores that do not answer, or an intact copy of an object that is damaged"
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
	slow   []bool        // stores that were not waited for
	cause  error         // what kept a store from counting, last
}

// lookAhead is how many slots are read at once.
const lookAhead = 8

// find resolves slot after slot from the checkpoint on, until one is the cut.
func (f *fencer) find(ctx context.Context) (keys.Slot, error) {
	if err := f.ahead(ctx); err != nil {
		return 0, err
	}
	for first := f.row.Checkpoint(); ; first += lookAhead {
		seen := make([][]cell, lookAhead)
		err := fanout.Each(ctx, f.env.Run, "chain.fence", lookAhead, lookAhead, func(ctx context.Context, i int) {
			seen[i] = f.look(ctx, first+keys.Slot(i))
		})
		if err != nil {
			return 0, err
		}
		for i, cells := range seen {
			in, err := f.resolve(ctx, first+keys.Slot(i), cells)
			if err != nil || !in {
				return first + keys.Slot(i), err
			}
		}
	}
}

// resolve decides whether a slot belongs to the chain, from cells that were read. It counts only what it reads, never what
// it wrote.
func (f *fencer) resolve(ctx context.Context, slot keys.Slot, cells []cell) (in bool, err error) {
	key := f.key(slot)
	deadline := f.env.Run.Elapsed() + patience
	for tries := backoff.New(f.env.Run, backoff.Objects); ; cells = f.look(ctx, slot) {
		counted, flight, rivals := count(cells)
		if rivals {
			f.env.Run.Note("two flights in one slot", "slot", key)
		}
		filled := false
		switch v := f.judge(cells); {
		case v == belongs:
			return true, nil
		case v == isCut, v == poison && f.env.Bugs.Has(planted.NoPoison), v == unavailable && f.env.Bugs.Has(planted.FencerGuesses),
			v == complete && f.env.Bugs.Has(planted.MinorityIsCut):
			return false, nil
		case v == complete:
			filled = f.fill(ctx, "fence.complete", slot, cells, flight)
		case v == poison:
			filled = f.fill(ctx, "fence.poison", slot, cells, f.poison(slot, "cut"))
		}
		if f.env.Run.Elapsed() >= deadline {
			return false, &SlotError{key, fmt.Sprintf("%d stores: %+v", len(f.stores), counted), f.cause}
		}
		if filled && f.env.Bugs.Has(planted.WritesCount) {
			return flight != nil, nil
		}
		if filled {
			continue
		}
		if err := tries.Wait(ctx); err != nil {
			return false, err
		}
	}
}

// judge is the verdict on what was read of a slot.
func (f *fencer) judge(cells []cell) verdict {
	if f.env.Bugs.Has(planted.FencerTrustsOneStore) {
		return judgeFirst(cells)
	}
	v, _, _ := count(cells)
	return judge(v, len(f.stores), f.quorum)
}

// judgeFirst trusts the first store that answers: a planted bug.
func judgeFirst(cells []cell) verdict {
	for _, c := range cells {
		if c.state != cellUnknown {
			v, _, _ := count([]cell{c})
			return judge(v, 1, 1)
		}
	}
	return unavailable
}

// look reads a slot position in the stores, in as many as it takes.
func (f *fencer) look(ctx context.Context, slot keys.Slot) []cell {
	question := func(ctx context.Context, i int) cell { return f.read(ctx, i, slot) }
	return known(ask(ctx, f, question, func(answers []*cell) sufficiency {
		switch f.judge(known(answers)) {
		case belongs, isCut:
			return decides
		case unavailable:
			return tooFew
		default:
			return suffices
		}
	}))
}

// read reads a slot position in one store. What is not there in full, and valid, is unknown.
func (f *fencer) read(ctx context.Context, i int, slot keys.Slot) (c cell) {
	key := f.key(slot)
	object, err := f.stores[i].Blob.Get(ctx, key, blob.All())
	if errors.Is(err, blob.ErrNotFound) {
		return cell{state: cellEmpty}
	}
	if err == nil {
		f.env.Run.Offload(ctx, func() { c, err = readCell(key, object) })
	}
	if err != nil {
		f.cause = fmt.Errorf("store %s: %w", f.stores[i].ID, err)
	}
	return c
}

// known are the cells that were answered; the others prove nothing.
func known(answers []*cell) []cell {
	cells := make([]cell, len(answers))
	for i, answer := range answers {
		if answer != nil {
			cells[i] = *answer
		}
	}
	return cells
}

// fill puts an object where a store has nothing. It says whether every put was answered, so that looking again is worth it.
func (f *fencer) fill(ctx context.Context, step string, slot keys.Slot, cells []cell, object []byte) (answered bool) {
	answered = true
	// A job that is left undone, for the process stops, counts for nothing.
	_ = fanout.Each(ctx, f.env.Run, "chain.fence", len(f.stores), len(f.stores), func(ctx context.Context, i int) {
		if cells[i].state != cellEmpty {
			return
		}
		f.env.Run.Step(ctx, step)
		if outcome, err := putOnce(ctx, f.env, f.stores[i], f.key(slot), object); outcome == blob.Unknown {
			f.cause, answered = fmt.Errorf("store %s: %w", f.stores[i].ID, err), false
		}
	})
	return answered
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
