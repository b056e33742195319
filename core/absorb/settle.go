package absorb

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/fanout"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
)

const (
	// settleWindows bounds the windows that a settler holds in memory at once.
	settleWindows = 1 << 10
	// settleFanout is how many rows a settler commits at once.
	settleFanout = 4096
)

// Settle ends an epoch of anybody, commits the refs that are missing for it, moves its checkpoint to the cut and marks it
// settled. Any star can do any part of it, twice, and stop anywhere.
//
// ErrUnavailable of package chain where its stores do not answer; *HolesError where streams do not fit, when all others
// are covered. Metastore calls are tried until ctx ends.
func Settle(ctx context.Context, e env.Env, stores *chain.Stores, star keys.StarID, epoch keys.Epoch) error {
	row, err := chain.Fence(ctx, e, stores, star, epoch)
	if err != nil || row.Settled() {
		return err
	}
	cut, _ := row.Cut()
	if e.Bugs.Has(planted.SettleShort) && cut > 0 {
		cut--
	}
	s := &settler{env: e, broken: map[keys.StreamID]*HoleError{}}
	for from := row.Checkpoint(); from < cut; {
		next, err := s.batch(ctx, stores, row, from, cut)
		if err != nil {
			return fmt.Errorf("settle chain epoch %d of star %s: %w", epoch, star, err)
		}
		from = next
		if len(s.broken) > 0 {
			continue // the others go on, the checkpoint does not
		}
		err = update(ctx, e, row, "settle.checkpoint", func(r *records.ChainEpoch) bool {
			behind := r.GetCheckpoint() < uint64(from)
			r.Advance(uint64(from))
			return behind && from < cut // the last step is that of settled
		})
		if err != nil {
			return err
		}
	}
	if len(s.broken) > 0 {
		return s.failure(star, epoch)
	}
	err = update(ctx, e, row, "settle.done", func(r *records.ChainEpoch) bool {
		open := r.GetState() != records.ChainState_CHAIN_STATE_SETTLED
		r.Settle()
		return open
	})
	if err == nil {
		e.Run.Note("chain epoch settled", "star", star, "epoch", epoch, "cut", cut)
	}
	return err
}

// settler covers the windows of an epoch, batch after batch.
type settler struct {
	env    env.Env
	broken map[keys.StreamID]*HoleError
}

// batch covers the windows of some slots from a slot on, and gives the slot after them.
func (s *settler) batch(ctx context.Context, stores *chain.Stores, row chain.Row, from, cut keys.Slot) (next keys.Slot, err error) {
	windows, count := map[keys.StreamID][]window{}, 0
	err = chain.Walk(ctx, s.env, stores, row, from, cut, func(slot keys.Slot, entries []format.Entry) bool {
		for _, entry := range entries {
			windows[entry.Stream] = append(windows[entry.Stream], window{row.Star, row.Epoch, slot, entry})
		}
		count += len(entries)
		next = slot + 1
		return count < settleWindows
	})
	if err != nil {
		return 0, err
	}
	streams := slices.Sorted(maps.Keys(windows))
	failed := make([]error, len(streams))
	err = fanout.Each(ctx, s.env.Run, "absorb.settle", len(streams), settleFanout, func(ctx context.Context, i int) {
		if s.broken[streams[i]] == nil {
			_, failed[i] = cover(ctx, s.env, "settle", streams[i], windows[streams[i]])
		}
	})
	if err != nil {
		return 0, err
	}
	for i, failure := range failed {
		var hole *HoleError
		switch {
		case errors.As(failure, &hole):
			s.broken[streams[i]] = hole
		case failure != nil:
			return 0, failure // ctx ended
		}
	}
	return next, nil
}

func (s *settler) failure(star keys.StarID, epoch keys.Epoch) error {
	e := &HolesError{Star: star, Epoch: epoch}
	for _, stream := range slices.Sorted(maps.Keys(s.broken)) {
		e.Holes = append(e.Holes, s.broken[stream])
	}
	return e
}

// update changes an epoch's row by CAS until the change is in or proves needless. The error is ctx's, or says that the row
// is gone: then the epoch was settled and reaped.
func update(ctx context.Context, e env.Env, row chain.Row, step string, change func(*records.ChainEpoch) (needed bool)) error {
	gone := false
	err := backoff.Until(ctx, e.Run, backoff.Rows, func() bool {
		now, found, err := chain.ReadEpoch(ctx, e.Meta.Records.Fresh(), row.Star, row.Epoch)
		if err != nil {
			return false
		}
		if gone = !found; gone || !change(now.Value) {
			return true
		}
		e.Run.Step(ctx, step)
		_, err = chain.Replace(ctx, e.Meta.Records, now)
		return err == nil
	})
	if err == nil && gone {
		err = fmt.Errorf("the row of chain epoch %d of star %s is gone: %w", row.Epoch, row.Star, chain.ErrUnavailable)
	}
	return err
}
