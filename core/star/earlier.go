package star

import (
	"context"

	"github.com/novastream/nova/core/absorb"
	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/chain"
)

// settleEarlier fences and settles the epochs that earlier boots of this star left, and sweeps what lies above their cuts.
// It runs behind serving: settling first would keep a fleet from booting while a zone is dark.
func (s *Star) settleEarlier(ctx context.Context) {
	for tries := backoff.New(s.env.Run, backoff.Duties); ; {
		if left := s.settleOnce(ctx); left == 0 || tries.Wait(ctx) != nil {
			return
		}
	}
}

// settleOnce is one pass; it says how many epochs are left to do.
func (s *Star) settleOnce(ctx context.Context) (left int) {
	rows, err := chain.Epochs(ctx, s.env.Meta.Records.Fresh(), s.env.Star)
	if err != nil {
		return 1
	}
	for _, row := range rows {
		if row.Value.GetBoot() == string(s.env.Boot) {
			continue
		}
		if !row.Settled() {
			err = absorb.Settle(ctx, s.env, s.stores, row.Star, row.Epoch)
		}
		if err == nil {
			err = chain.Sweep(ctx, s.env, s.stores, row.Star, row.Epoch)
		}
		s.unsettled[row.Epoch] = err
		if err != nil && ctx.Err() == nil { // else the stop cut it short
			s.env.Run.Note("earlier epoch not settled yet", "star", row.Star, "chain", row.Epoch, "why", err)
		}
		if err != nil {
			left++
		}
		err = nil
	}
	return left
}
