package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// Sweep deletes the garbage of an epoch whose cut is published: what lies above the cut, what lies below the trimmed slots,
// and what lies at the cut once the owner itself has ended the epoch. Until then the poison at the cut stays: a writer that
// was paused could wake, create that slot and acknowledge it. It goes only from a settled epoch, so that a late fencer who
// finds another cut in its place is not taken for a broken invariant. Anybody may sweep, at any time, twice; an error
// leaves garbage for the next sweep.
func Sweep(ctx context.Context, e env.Env, stores *Stores, star keys.StarID, epoch keys.Epoch) error {
	row, ownerEnded, err := readEnded(ctx, e, star, epoch)
	cut, published := row.Cut()
	if err != nil || !published {
		return err
	}
	held, err := stores.Resolve(row.Value.GetStores())
	if err != nil {
		return fmt.Errorf("sweep chain epoch %d of star %s: %w", epoch, star, err)
	}
	free := ownerEnded && row.Settled() || e.Bugs.Has(planted.PoisonDeleted)
	var failed []error
	if e.Bugs.Has(planted.SweepByCheckpoint) {
		row.Value.Trimmed = row.Value.GetCheckpoint()
	}
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
	err := backoff.Within(ctx, e.Run, backoff.Objects, patience, func() error {
		doomed = nil
		return list(ctx, store, row, 0, func(slot keys.Slot, key string) {
			if garbage(slot) {
				doomed = append(doomed, key)
			}
		})
	})
	for err == nil && len(doomed) > 0 {
		n := min(len(doomed), most)
		err = backoff.Within(ctx, e.Run, backoff.Objects, patience, func() error {
			e.Run.Step(ctx, "sweep.delete")
			return store.Blob.Delete(ctx, doomed[:n]...)
		})
		doomed = doomed[n:]
	}
	return err
}

// readEnded reads the row of an epoch, empty where there is none, and whether the process that minted it is known to have
// ended it itself: it closed it, or it has minted a later epoch of the class since. Nothing else proves that, a new boot of
// the identity least of all. What plain reads show of this stays true.
func readEnded(ctx context.Context, e env.Env, star keys.StarID, epoch keys.Epoch) (row Row, ownerEnded bool, err error) {
	err = backoff.Within(ctx, e.Run, backoff.Rows, patience, func() error {
		var found bool
		row, found, err = ReadEpoch(ctx, e.Meta.Records, star, epoch)
		if err != nil || !found {
			return err
		}
		key := keys.ChainRow(star)
		rec, err := e.Meta.Records.Within(keys.ChainLocality(star)).Get(ctx, key)
		if err != nil && !errors.Is(err, meta.ErrNotFound) {
			return fmt.Errorf("read the mint counter of star %s: %w", star, err)
		}
		chain := &records.Chain{}
		if err := records.Decode(key, rec.Value, chain); err != nil {
			return err
		}
		ownerEnded = movedOn(row, chain.Head(row.Value.GetClass())) || e.Bugs.Has(planted.RebootProvesDeath) && keys.Epoch(chain.Head(row.Value.GetClass()).GetEpoch()) > epoch
		return nil
	})
	return row, ownerEnded, err
}

func movedOn(row Row, head *records.Head) bool {
	later := keys.Epoch(head.GetEpoch()) > row.Epoch && head.GetBoot() != "" && head.GetBoot() == row.Value.GetBoot()
	return row.Value.GetClosedByOwner() || later
}
