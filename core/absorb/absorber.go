// Package absorb makes durable bytes findable.
package absorb

import (
	"context"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
)

// Hooks tell the star what absorbing finds out. They are called with the baton held and must not wait.
type Hooks struct {
	// Covered: refs were seen to cover the stream up to end.
	Covered func(stream keys.StreamID, end keys.Seq)
	// Fenced: the row of the epoch, which this process writes, was found fenced. It goes to the writer's Fenced.
	Fenced func(epoch keys.Epoch)
}

// Absorber absorbs the durable prefix of one class of a star.
type Absorber struct{ env env.Env }

// New makes the absorber of a class. It absorbs nothing until Run runs.
func New(e env.Env, stores *chain.Stores, class records.Class, hooks Hooks) *Absorber {
	return &Absorber{env: e}
}

// Run is the absorber's task, until ctx ends.
func (a *Absorber) Run(ctx context.Context) {}

// Durable takes a flight of the durable prefix: chain.Sink.
func (a *Absorber) Durable(f *chain.Flight) {}

// Ended stops absorbing an epoch: chain.Sink.
func (a *Absorber) Ended(epoch keys.Epoch) {}

// Closed settles an ended epoch, behind, and then drops what is resident of it: chain.Sink.
func (a *Absorber) Closed(epoch keys.Epoch, cut keys.Slot) {}

// Flush commits refs for what is resident of the stream, and returns once they were seen to cover it.
func (a *Absorber) Flush(ctx context.Context, stream keys.StreamID) error { return nil }

// Resident says whether durable windows of the stream wait for their refs.
func (a *Absorber) Resident(stream keys.StreamID) bool { return false }

// Backlog is the age of the oldest flight that is not absorbed, or 0.
func (a *Absorber) Backlog() time.Duration { return 0 }

// Settle ends an epoch of anybody, commits the refs that are missing for it, and marks it settled. Any star can do any part
// of it, twice.
func Settle(ctx context.Context, e env.Env, stores *chain.Stores, star keys.StarID, epoch keys.Epoch) error {
	return nil
}
