package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/run"
)

// RefreshInterval is how often a star writes its stats and looks after its liveness record.
const RefreshInterval = 5 * time.Second

// Config is what a Registry needs.
type Config struct {
	Env      env.Env
	Addr     string // where clients and stars reach this one
	Location string
	Version  string // of the release
	// Measure gives the load to publish. It is called with the baton held and must not wait.
	Measure func() *records.Stats
	// Lost is started as a task whenever this star has registered again after its session ended: leases went with it.
	Lost func(ctx context.Context)
}

// SupersededError says that another process life has registered under this star's identity: this one must stop.
type SupersededError struct {
	Star keys.StarID
	By   keys.BootID
}

func (e *SupersededError) Error() string {
	return fmt.Sprintf("star %s: another process (boot %s) has registered under this identity: stop one of the two and give "+
		"each star a data directory of its own", e.Star, e.By)
}

// Registry is this star's place in the fleet: a liveness record and a stats record, both bound to its session.
type Registry struct {
	cfg     Config
	env     env.Env
	rows    meta.Metastore
	started int64 // microseconds, wall clock

	wanted, published routing
	registered        bool // the liveness record was this process's once
	expired           bool // the session behind the rows has ended: what still stands is going
	refreshing        bool
	withdrawn         bool
	snapshots         snapshots
	stood             time.Duration // when the liveness record stood last, by Elapsed
	changed           run.Signal    // wanted, refreshing or withdrawn changed
}

// routing is what the liveness record says to whoever routes.
type routing struct{ saturated, draining bool }

// NewRegistry makes the registry of a star that is not registered yet.
func NewRegistry(cfg Config) *Registry {
	return &Registry{
		cfg:     cfg,
		env:     cfg.Env,
		rows:    cfg.Env.Meta.Ephemeral.Within(keys.FleetLocality),
		started: cfg.Env.Run.Now().UnixMicro(),
		changed: cfg.Env.Run.NewSignal(),
	}
}

// Snapshot reads the registry once.
func (r *Registry) Snapshot(ctx context.Context) (Snapshot, error) {
	return r.snapshots.read(ctx, r.env.Meta.Ephemeral)
}

// Registered says whether the liveness record under this star's identity is this process's, by a fresh read.
func (r *Registry) Registered(ctx context.Context) (bool, error) {
	live := &records.Liveness{}
	_, found, err := read(ctx, r.rows.Fresh(), keys.StarRow(r.env.Star), live)
	return found && live.GetBoot() == string(r.env.Boot), err
}

// Standing says whether the liveness record stood when it was refreshed last, and that was within so long a time. It asks
// nobody.
func (r *Registry) Standing(within time.Duration) bool {
	return r.registered && !r.expired && !r.withdrawn && r.env.Run.Elapsed()-r.stood < within
}

// Route tells whether this star takes new leadership. Run publishes it at once.
func (r *Registry) Route(saturated, draining bool) {
	r.wanted = routing{saturated, draining}
	r.changed.Broadcast()
}

// Register returns once the star is registered, over whatever an earlier process life has left. The error is ctx's.
func (r *Registry) Register(ctx context.Context) error { return r.refreshUntilDone(ctx) }

// Run keeps the star registered. It returns nil once withdrawn, ctx's error, or *SupersededError.
func (r *Registry) Run(ctx context.Context) error {
	for !r.withdrawn {
		if err := r.refreshUntilDone(ctx); err != nil {
			return err
		}
		if err := r.rest(ctx); err != nil {
			return err
		}
	}
	return nil
}

// rest waits until the next refresh is due. The error is ctx's.
func (r *Registry) rest(ctx context.Context) error {
	if r.withdrawn || r.wanted != r.published {
		return nil
	}
	wait, cancel := r.env.Run.WithTimeout(ctx, RefreshInterval)
	defer cancel()
	if r.changed.Wait(wait) != nil {
		return ctx.Err()
	}
	return nil
}

// refreshUntilDone refreshes once, in as many tries as it takes.
func (r *Registry) refreshUntilDone(ctx context.Context) error {
	var superseded *SupersededError
	failed := false
	r.refreshing = true
	err := backoff.Until(ctx, r.env.Run, backoff.Rows, func() bool {
		began := r.env.Run.Elapsed()
		err := r.refresh(ctx)
		if r.env.Bugs.Has(planted.StandingFromAnswer) {
			began = r.env.Run.Elapsed()
		}
		if err == nil {
			r.stood = began
		}
		done := err == nil || r.withdrawn || errors.As(err, &superseded)
		if !done && !failed {
			r.env.Run.Note("registration cannot be refreshed; trying again", "err", err)
			failed = true
		}
		return done
	})
	r.refreshing = false
	r.changed.Broadcast()
	if superseded != nil {
		return superseded
	}
	return err
}

// Withdraw ends Run and takes the star out of the registry; a record of another process life is left alone. It tries until
// ctx ends: what then still stands goes with the session.
func (r *Registry) Withdraw(ctx context.Context) error {
	r.withdrawn = true
	r.changed.Broadcast()
	for r.refreshing {
		if err := r.changed.Wait(ctx); err != nil {
			return err
		}
	}
	return backoff.Until(ctx, r.env.Run, backoff.Rows, func() bool { return r.remove(ctx) == nil })
}
