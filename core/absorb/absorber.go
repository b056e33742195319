package absorb

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/fanout"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/run"
)

// Hooks tell the star what absorbing finds out. They are called with the baton held and must not wait.
type Hooks struct {
	// Covered: refs were seen to cover the stream up to end.
	Covered func(stream keys.StreamID, end keys.Seq)
	// Fenced: the row of the epoch, which this process writes, was found fenced. It goes to the writer's Fenced.
	Fenced func(epoch keys.Epoch)
}

// Absorber absorbs the durable prefix of one class of a star. It is a chain.Sink.
type Absorber struct {
	env    env.Env
	stores *chain.Stores
	class  records.Class
	fanout int
	hooks  Hooks

	queue    []*queued                    // flights that are not covered yet, in slot order
	streams  map[keys.StreamID]*residents // streams with windows in them
	fresh    load                         // what came since the last pass began
	epochs   map[keys.Epoch]*cursor       // epochs that are written or being settled
	settling int                          // tasks that settle ended epochs

	wake    run.Signal // a flight came
	settled run.Signal // a stream is free again, a pass or a settle is over
}

var _ chain.Sink = (*Absorber)(nil)

// queued is a flight that waits for its refs.
type queued struct {
	epoch  keys.Epoch
	slot   keys.Slot
	sealed time.Duration
	left   int // windows that are not covered
}

// residents are the windows of one stream that wait for their refs.
type residents struct {
	windows []resident
	busy    bool // a task commits them
	broken  error
}

type resident struct {
	window
	flight *queued
}

// New makes the absorber of a class, which commits so many rows at once. It absorbs nothing until Run runs.
func New(e env.Env, stores *chain.Stores, class records.Class, fanout int, hooks Hooks) *Absorber {
	return &Absorber{
		env: e, stores: stores, class: class, fanout: fanout, hooks: hooks,
		streams: map[keys.StreamID]*residents{}, epochs: map[keys.Epoch]*cursor{},
		wake: e.Run.NewSignal(), settled: e.Run.NewSignal(),
	}
}

// Durable takes a flight of the durable prefix.
func (a *Absorber) Durable(f *chain.Flight) {
	q := &queued{epoch: f.Epoch, slot: f.Slot, sealed: f.Sealed, left: len(f.Entries)}
	a.queue = append(a.queue, q)
	for _, entry := range f.Entries {
		r := a.streams[entry.Stream]
		if r == nil {
			r = &residents{}
			a.streams[entry.Stream] = r
		}
		if r.broken == nil { // else nobody will ever commit it
			r.windows = append(r.windows, resident{window{a.env.Star, f.Epoch, f.Slot, entry}, q})
		}
	}
	if a.epochs[f.Epoch] == nil {
		a.epochs[f.Epoch] = &cursor{epoch: f.Epoch}
	}
	a.fresh.add(f.SizeBytes, a.env.Run.Elapsed())
	a.wake.Broadcast()
}

// Resident says whether durable windows of the stream wait for their refs.
func (a *Absorber) Resident(stream keys.StreamID) bool { return a.streams[stream] != nil }

// Backlog is the age of the oldest flight that is not absorbed, or 0.
func (a *Absorber) Backlog() time.Duration {
	if len(a.queue) == 0 {
		return 0
	}
	return a.env.Run.Elapsed() - a.queue[0].sealed
}

// Run is the absorber's task, until ctx ends. It has no timer while nothing waits.
func (a *Absorber) Run(ctx context.Context) {
	for ctx.Err() == nil {
		now, wait := a.fresh.due(len(a.streams), a.env.Run.Elapsed())
		switch {
		case now:
			a.pass(ctx)
		case wait < 0:
			_ = a.wake.Wait(ctx) // ctx is looked at above
		default:
			timed, cancel := a.env.Run.WithTimeout(ctx, wait)
			_ = a.wake.Wait(timed)
			cancel()
		}
	}
}

// passPatience bounds how long a pass waits for rows that do not commit: the others must go on.
const passPatience = 10 * time.Second

// pass commits what is resident of every stream and moves the checkpoint over the flights that are covered.
func (a *Absorber) pass(ctx context.Context) {
	a.fresh = load{}
	if a.env.Bugs.Has(planted.CheckpointBeforeRows) {
		a.advance(ctx, func(*queued) bool { return true })
	}
	streams := slices.Sorted(maps.Keys(a.streams))
	timed, cancel := a.env.Run.WithTimeout(ctx, passPatience)
	// What fails stays resident for the next pass.
	_ = fanout.Each(timed, a.env.Run, "absorb.rows", len(streams), a.fanout, func(ctx context.Context, i int) {
		_ = a.commit(ctx, "absorb", streams[i])
	})
	cancel()
	a.advance(ctx, func(q *queued) bool { return q.left == 0 })
	if len(a.queue) > 0 {
		a.fresh.add(0, a.env.Run.Elapsed()) // again in a second
	}
}

// Flush commits refs for what is resident of the stream, and returns once they were seen to cover it.
func (a *Absorber) Flush(ctx context.Context, stream keys.StreamID) error {
	for a.streams[stream] != nil {
		if err := a.commit(ctx, "flush", stream); err != nil {
			return err
		}
	}
	return nil
}

// commit covers what is resident of a stream now. One task at a time does so.
func (a *Absorber) commit(ctx context.Context, what string, stream keys.StreamID) error {
	r := a.streams[stream]
	for r != nil && r.busy {
		if err := a.settled.Wait(ctx); err != nil {
			return err
		}
		r = a.streams[stream]
	}
	if r == nil || r.broken != nil {
		return r.failure()
	}
	r.busy = true
	windows := make([]window, len(r.windows))
	for i, w := range r.windows {
		windows[i] = w.window
	}
	covered, err := cover(ctx, a.env, what, stream, windows)
	r.busy = false
	var hole *HoleError
	if errors.As(err, &hole) {
		r.broken, r.windows = err, nil
	}
	a.drop(stream, func(w resident) bool { return err == nil && w.entry.End() <= covered })
	if err == nil {
		a.hooks.Covered(stream, covered)
	}
	a.settled.Broadcast()
	return err
}

func (r *residents) failure() error {
	if r == nil {
		return nil
	}
	return r.broken
}

// drop lets go of windows of a stream that are covered.
func (a *Absorber) drop(stream keys.StreamID, covered func(resident) bool) {
	r := a.streams[stream]
	if r == nil {
		return
	}
	var left []resident
	for _, w := range r.windows {
		if covered(w) {
			w.flight.left--
		} else {
			left = append(left, w)
		}
	}
	r.windows = left
	if len(left) == 0 && r.broken == nil && !r.busy {
		delete(a.streams, stream)
	}
}
