package chain

import (
	"context"
	"fmt"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// Fence ends an epoch of anybody and gives its row, which bears the cut. An epoch that has its cut is left as it is; a
// missing row is created as fenced with cut 0, which keeps a late create out. Any number of fencers may work on one epoch,
// beside its writer, and each may stop anywhere: another resumes.
//
// ErrUnavailable where stores that the epoch names are not held here, or too few of them answer. Metastore calls are tried
// until ctx ends.
func Fence(ctx context.Context, e env.Env, stores *Stores, star keys.StarID, epoch keys.Epoch) (Row, error) {
	row, held, err := claim(ctx, e, stores, star, epoch)
	if err != nil {
		return Row{}, fmt.Errorf("fence chain epoch %d of star %s: %w", epoch, star, err)
	}
	if _, published := row.Cut(); published {
		return row, nil
	}
	// From here on the owner's next checkpoint fails, and a crash leaves an epoch that any fencer can resume.
	f := &fencer{
		env: e, row: row, stores: held, slow: make([]bool, len(held)), quorum: int(row.Value.GetQuorum()), window: int(row.Value.GetWindow()),
		header: format.Header{Star: star, Boot: keys.BootID(row.Value.GetBoot()), Epoch: epoch, Class: row.Value.GetClass()},
	}
	cut, err := f.find(ctx)
	if e.Bugs.Has(planted.CutOffByOne) && cut > row.Checkpoint() {
		cut--
	}
	if err == nil {
		row, err = publish(ctx, e, row, cut)
	}
	if err != nil {
		return Row{}, fmt.Errorf("fence chain epoch %d of star %s: %w", epoch, star, err)
	}
	return row, nil
}

// claim gets leave to poison: it moves an active row to fenced, and touches one that is fenced already, by CAS. A row
// that bears its cut is answered as it is.
func claim(ctx context.Context, e env.Env, stores *Stores, star keys.StarID, epoch keys.Epoch) (row Row, held []Store, refusal error) {
	err := backoff.Until(ctx, e.Run, backoff.Rows, func() bool {
		var found bool
		var err error
		row, found, err = ReadEpoch(ctx, e.Meta.Records.Fresh(), star, epoch)
		if err != nil {
			return false
		}
		if !found { // a head without a row: its minter must not begin any more
			row = Row{Star: star, Epoch: epoch, Value: &records.ChainEpoch{}}
			row.Value.Fence()
			row.Value.Publish(0)
			e.Run.Step(ctx, "fence.missing")
			row, err = put(ctx, e.Meta.Records, row, meta.Absent())
			return err == nil
		}
		if _, published := row.Cut(); published {
			return true
		}
		if held, refusal = stores.Resolve(row.Value.GetStores()); refusal != nil {
			return true
		}
		row.Value.Fence()
		e.Run.Step(ctx, "fence.row")
		row, err = Replace(ctx, e.Meta.Records, row)
		return err == nil
	})
	if err == nil {
		err = refusal
	}
	return row, held, err
}

// publish puts the cut onto the row. If one is there, it holds and ours is dropped.
func publish(ctx context.Context, e env.Env, row Row, cut keys.Slot) (Row, error) {
	checkpoint := row.Checkpoint()
	gone := false
	err := backoff.Until(ctx, e.Run, backoff.Rows, func() bool {
		row.Value.Publish(uint64(cut))
		e.Run.Step(ctx, "fence.cut")
		// Commit point. From here on the epoch has its cut.
		written, err := Replace(ctx, e.Meta.Records, row)
		if err == nil {
			row = written
			e.Run.Note("chain epoch fenced", "star", row.Star, "epoch", row.Epoch, "cut", cut)
			return true
		}
		again, found, err := ReadEpoch(ctx, e.Meta.Records.Fresh(), row.Star, row.Epoch)
		if err != nil {
			return false
		}
		if gone = !found; gone {
			return true
		}
		row = again
		there, published := row.Cut()
		// Loud only if a fencer published it and no slot that we looked at can have been reaped or swept since.
		loud := !row.Value.GetClosedByOwner() && !row.Settled() && row.Checkpoint() == checkpoint
		switch {
		case published && there != cut && loud:
			e.Run.Note("cut differs", "star", row.Star, "epoch", row.Epoch, "holds", there, "ours", cut)
		case published:
			e.Run.Note("cut was there", "star", row.Star, "epoch", row.Epoch, "holds", there, "ours", cut)
		}
		return published
	})
	if err == nil && gone {
		err = fmt.Errorf("its row went while the cut was sought: %w", ErrUnavailable)
	}
	return row, err
}
