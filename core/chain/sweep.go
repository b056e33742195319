package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// Sweep deletes the garbage of an epoch whose cut is published: what lies above the cut, what lies below the trimmed slots,
// and what lies at the cut once the owner itself has ended the epoch. Until then the poison at the cut stays: a writer
// that was paused could wake, create that slot and acknowledge it. Anybody may sweep, at any time, twice; an
// error leaves garbage for the next sweep.
func Sweep(ctx context.Context, e env.Env, stores *Stores, star keys.StarID, epoch keys.Epoch) error {
	row, found, err := ReadEpoch(ctx, e.Meta.Records, star, epoch)
	if err != nil || !found {
		return err
	}
	cut, published := row.Cut()
	if !published {
		return nil
	}
	held, err := stores.Resolve(row.Value.GetStores())
	if err != nil {
		return fmt.Errorf("sweep chain epoch %d of star %s: %w", epoch, star, err)
	}
	free, err := ownerHasEnded(ctx, e, row)
	if err != nil {
		return err
	}
	free = free || e.Bugs.Has(planted.PoisonDeleted)
	var failed []error
	for _, store := range held { // a dark store does not keep the others from being swept
		if err := sweepStore(ctx, e, store, row, garbageOf(row, cut, free)); err != nil {
			failed = append(failed, fmt.Errorf("sweep chain epoch %d of star %s in store %s: %w", epoch, star, store.ID, err))
		}
	}
	return errors.Join(failed...)
}

// garbageOf says which slot positions of an epoch may be deleted.
func garbageOf(row Row, cut keys.Slot, ownerEnded bool) func(keys.Slot) bool {
	trimmed := keys.Slot(row.Value.GetTrimmed())
	return func(slot keys.Slot) bool {
		return slot < trimmed || slot > cut || slot == cut && ownerEnded
	}
}

func sweepStore(ctx context.Context, e env.Env, store Store, row Row, garbage func(keys.Slot) bool) error {
	const most = 1000
	var doomed []string
	err := list(ctx, store, row, 0, func(slot keys.Slot, key string) {
		if garbage(slot) {
			doomed = append(doomed, key)
		}
	})
	if err != nil {
		return err
	}
	for len(doomed) > 0 {
		n := min(len(doomed), most)
		e.Run.Step(ctx, "sweep.delete")
		if err := store.Blob.Delete(ctx, doomed[:n]...); err != nil {
			return err
		}
		doomed = doomed[n:]
	}
	return nil
}

// ownerHasEnded says whether the process that minted the epoch is known to have ended it itself: it closed it, or it has
// minted a later epoch of the class since. Nothing else proves it, a new boot of the identity least of all.
func ownerHasEnded(ctx context.Context, e env.Env, row Row) (bool, error) {
	key := keys.ChainRow(row.Star)
	rec, err := e.Meta.Records.Within(keys.ChainLocality(row.Star)).Get(ctx, key)
	if errors.Is(err, meta.ErrNotFound) {
		return row.Value.GetClosedByOwner(), nil
	}
	chain := &records.Chain{}
	if err == nil {
		err = records.Decode(key, rec.Value, chain)
	}
	if err != nil {
		return false, fmt.Errorf("read the mint counter of star %s: %w", row.Star, err)
	}
	return movedOn(row, chain.Head(row.Value.GetClass())), nil
}

func movedOn(row Row, head *records.Head) bool {
	later := keys.Epoch(head.GetEpoch()) > row.Epoch && head.GetBoot() != "" && head.GetBoot() == row.Value.GetBoot()
	return row.Value.GetClosedByOwner() || later
}
