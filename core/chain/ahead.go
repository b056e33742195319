package chain

import (
	"context"
	"fmt"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/blob"
)

// ahead poisons a position beyond everything that the writer can have written by now, so that a live zombie cannot go on
// writing slots as fast as a fencer resolves them. Where the poison lies never matters for safety. It does nothing until
// enough stores listed what they hold: a fencer that reaches too few of them must not poison.
func (f *fencer) ahead(ctx context.Context) error {
	deadline := f.env.Run.Elapsed() + patience
	tries := backoff.New(f.env.Run, backoff.Objects)
	needed := fatal(len(f.stores), f.quorum)
	highest, listed, distance := keys.Slot(0), false, keys.Slot(2*f.window)
	for {
		if !listed {
			var answered int
			highest, answered = f.highest(ctx)
			listed = answered >= needed
			if listed && f.poisoned(ctx, highest) >= needed {
				return nil // a fencer before us got that far
			}
		}
		if listed {
			held, beaten := f.keepOut(ctx, highest+distance)
			if held >= needed {
				return nil
			}
			if beaten {
				distance *= 2
				continue
			}
		}
		if f.env.Run.Elapsed() >= deadline {
			return &SlotError{f.key(highest + distance), fmt.Sprintf("%d of %d stores must answer", needed, len(f.stores)), f.cause}
		}
		if err := tries.Wait(ctx); err != nil {
			return err
		}
	}
}

// highest is the highest slot position from the checkpoint on in which a store that answered holds something.
func (f *fencer) highest(ctx context.Context) (highest keys.Slot, answered int) {
	highest = f.row.Checkpoint()
	f.each(ctx, func(ctx context.Context, i int) {
		last, err := lastSlot(ctx, f.stores[i], f.row)
		if err != nil {
			f.cause = fmt.Errorf("store %s: %w", f.stores[i].ID, err)
			return
		}
		answered++
		highest = max(highest, last)
	})
	return highest, answered
}

// lastSlot is the highest slot position from the row's checkpoint on that a store holds, or the checkpoint.
func lastSlot(ctx context.Context, store Store, row Row) (keys.Slot, error) {
	last := row.Checkpoint()
	err := list(ctx, store, row, last, func(slot keys.Slot, _ string) { last = max(last, slot) })
	return last, err
}

// list calls visit with the slot positions from a slot on that a store holds, ascending.
func list(ctx context.Context, store Store, row Row, from keys.Slot, visit func(keys.Slot, string)) error {
	const page = 1000
	after := ""
	if from > 0 {
		after = keys.SlotObject(row.Star, row.Epoch, from-1)
	}
	for {
		infos, err := store.Blob.List(ctx, keys.EpochObjects(row.Star, row.Epoch), after, page)
		if err != nil {
			return err
		}
		for _, info := range infos {
			if _, _, slot, err := keys.ParseSlotObject(info.Key); err == nil {
				visit(slot, info.Key)
			}
		}
		if len(infos) < page {
			return nil
		}
		after = infos[len(infos)-1].Key
	}
}

// poisoned is how many stores hold poison at a position.
func (f *fencer) poisoned(ctx context.Context, slot keys.Slot) int {
	v, _, _ := count(f.look(ctx, slot))
	return v.poison
}

// keepOut puts poison at a position in every store. held is how many have it now; beaten says that a flight was there.
func (f *fencer) keepOut(ctx context.Context, slot keys.Slot) (held int, beaten bool) {
	object := f.poison(slot, "ahead of the cut")
	clashes := make([]bool, len(f.stores))
	f.each(ctx, func(ctx context.Context, i int) {
		f.env.Run.Step(ctx, "fence.ahead")
		switch putOnce(ctx, f.env, f.stores[i], f.key(slot), object) {
		case blob.Created:
			held++
		case blob.Exists:
			clashes[i] = true
		}
	})
	for _, clash := range clashes {
		if !clash {
			continue
		}
		v, _, _ := count(f.look(ctx, slot))
		return max(held, v.poison), v.flights > 0
	}
	return held, false
}
