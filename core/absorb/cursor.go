package absorb

import (
	"context"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/keys"
)

// cursor is where the checkpoint of an epoch that this process wrote stands.
type cursor struct {
	epoch keys.Epoch
	upTo  keys.Slot // slots below it are covered
	moved keys.Slot // what the row says
	ended bool      // its writer stopped: the checkpoint moves by settling alone
	row   *chain.Row
}

// advance takes the flights that are done off the queue, from the front, and moves the checkpoint over them.
func (a *Absorber) advance(ctx context.Context, done func(*queued) bool) {
	var moving []*cursor
	n := 0
	for n < len(a.queue) && done(a.queue[n]) {
		q := a.queue[n]
		if c := a.epochs[q.epoch]; c != nil {
			c.upTo = q.slot + 1
			if len(moving) == 0 || moving[len(moving)-1] != c {
				moving = append(moving, c)
			}
		}
		n++
	}
	a.queue = append([]*queued(nil), a.queue[n:]...)
	for _, c := range moving {
		a.checkpoint(ctx, c)
	}
	a.settled.Broadcast()
}

// checkpoint moves the checkpoint of an active epoch by CAS. That it succeeds proves that no fencer has been there.
func (a *Absorber) checkpoint(ctx context.Context, c *cursor) {
	// The error is ctx's: the next pass goes on from here.
	_ = backoff.Until(ctx, a.env.Run, backoff.Rows, func() bool {
		if c.ended || c.moved >= c.upTo {
			return true
		}
		if c.row == nil {
			row, found, err := chain.ReadEpoch(ctx, a.env.Meta.Records.Fresh(), a.env.Star, c.epoch)
			if err != nil {
				return false
			}
			if !found || !row.Active() || !row.Mine(a.env) {
				a.hooks.Fenced(c.epoch)
				c.ended = true
				return true
			}
			c.row = &row
		}
		to := c.upTo
		c.row.Value.Advance(uint64(to))
		a.env.Run.Step(ctx, "absorb.checkpoint")
		row, err := chain.Replace(ctx, a.env.Meta.Records, *c.row)
		if err != nil {
			c.row = nil // read it again: fenced, or our own unknown write
			return false
		}
		c.row, c.moved = &row, to
		return true
	})
}
