package absorb

import (
	"context"
	"maps"
	"slices"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/keys"
)

// Ended stops moving the checkpoint of an epoch: from now on settling does.
func (a *Absorber) Ended(epoch keys.Epoch) {
	c := a.epochs[epoch]
	if c == nil {
		c = &cursor{epoch: epoch}
		a.epochs[epoch] = c
	}
	c.ended = true
}

// Closed settles an ended epoch, behind, lets go of what is resident of it, and sweeps what it left above its cut. It tries
// until that is done or the process stops.
func (a *Absorber) Closed(epoch keys.Epoch, _ keys.Slot) {
	a.settling++
	a.env.Run.Go("absorb.settle", func(ctx context.Context) {
		settled := backoff.Until(ctx, a.env.Run, backoff.Duties, func() bool {
			return a.told(ctx, "settling failed", epoch, Settle(ctx, a.env, a.stores, a.env.Star, epoch))
		}) == nil
		a.settling--
		if settled {
			a.release(epoch)
		}
		a.settled.Broadcast()
		if settled { // what is left over is swept at the next boot
			a.told(ctx, "sweep failed", epoch, chain.Sweep(ctx, a.env, a.stores, a.env.Star, epoch))
		}
	})
}

// told says whether background work on an epoch succeeded, and notes why not: what the stop of the process cuts short is left
// for the next boot, and has not failed.
func (a *Absorber) told(ctx context.Context, what string, epoch keys.Epoch, err error) bool {
	if err != nil && ctx.Err() == nil {
		a.env.Run.Note(what, "epoch", epoch, "error", err)
	}
	return err == nil
}

// release lets go of what is resident of a settled epoch: refs cover all of it.
func (a *Absorber) release(epoch keys.Epoch) {
	delete(a.epochs, epoch)
	for _, stream := range slices.Sorted(maps.Keys(a.streams)) {
		covered := keys.Seq(0)
		a.drop(stream, func(w resident) bool {
			if w.epoch == epoch {
				covered = w.entry.End()
			}
			return w.epoch == epoch
		})
		if covered > 0 {
			a.hooks.Covered(stream, covered)
		}
	}
	for _, q := range a.queue {
		if q.epoch == epoch {
			q.left = 0
		}
	}
	a.queue = slices.DeleteFunc(a.queue, func(q *queued) bool { return q.epoch == epoch })
}

// Drained waits until nothing is resident and no ended epoch waits for being settled.
func (a *Absorber) Drained(ctx context.Context) error {
	for len(a.queue) > 0 || a.settling > 0 {
		if err := a.settled.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}
