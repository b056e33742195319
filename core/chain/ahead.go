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
	needed := fatal(len(f.stores), f.quorum)
	highest, listed, distance := keys.Slot(0), false, keys.Slot(2*f.window)
	for tries := backoff.New(f.env.Run, backoff.Objects); ; {
		if !listed {
			highest, listed = f.highest(ctx, needed)
			if listed && f.judge(f.look(ctx, highest)) == isCut {
				return nil // a fencer before us got that far
			}
		}
		if listed {
			held, beaten := f.keepOut(ctx, highest+distance, needed)
			if held {
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

// highest is the highest slot position from the checkpoint on in which a store holds something; false where fewer stores
// answer than are needed.
func (f *fencer) highest(ctx context.Context, needed int) (highest keys.Slot, listed bool) {
	type listing struct {
		answered bool
		last     keys.Slot
	}
	question := func(ctx context.Context, i int) listing {
		l := listing{true, f.row.Checkpoint()}
		err := list(ctx, f.stores[i], f.row, l.last, func(slot keys.Slot, _ string) { l.last = max(l.last, slot) })
		if err != nil {
			f.cause = fmt.Errorf("store %s: %w", f.stores[i].ID, err)
			return listing{}
		}
		return l
	}
	lists := ask(ctx, f, question, func(lists []*listing) sufficiency {
		return enough(lists, needed, func(l listing) bool { return l.answered })
	})
	for _, l := range lists {
		if l != nil {
			highest = max(highest, l.last)
		}
	}
	return highest, enough(lists, needed, func(l listing) bool { return l.answered }) == suffices
}

// keepOut puts poison at a position in every store. held says that enough stores have it now, beaten that a flight was
// there first.
func (f *fencer) keepOut(ctx context.Context, slot keys.Slot, needed int) (held, beaten bool) {
	object := f.poison(slot, "ahead of the cut")
	question := func(ctx context.Context, i int) cellState {
		f.env.Run.Step(ctx, "fence.ahead")
		outcome, _ := putOnce(ctx, f.env, f.stores[i], f.key(slot), object) // what kept it open shows in the next look
		switch outcome {
		case blob.Created:
			return cellPoison
		case blob.Exists:
			return f.read(ctx, i, slot).state
		default:
			return cellUnknown
		}
	}
	is := func(want cellState) func(cellState) bool { return func(c cellState) bool { return c == want } }
	states := ask(ctx, f, question, func(states []*cellState) sufficiency {
		return max(enough(states, needed, is(cellPoison)), enough(states, 1, is(cellFlight)))
	})
	return enough(states, needed, is(cellPoison)) == suffices, enough(states, 1, is(cellFlight)) == suffices
}

// enough says whether so many of the answers that came are good.
func enough[T any](answers []*T, needed int, good func(T) bool) sufficiency {
	for _, answer := range answers {
		if answer != nil && good(*answer) {
			needed--
		}
	}
	if needed > 0 {
		return tooFew
	}
	return suffices
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
