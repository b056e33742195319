package leadership_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/stage"
	"github.com/novastream/nova/sim/workload"
)

// rig is a fleet on a stage, in which tests tell stories about leadership. All operations of its scribes are recorded, all
// invariants are watched, and done judges how it ended.
type rig struct {
	testing.TB
	*stage.Stage
	last peer.StreamName // of what streamFor made last
}

// newRig boots a fleet of so many stars. The last ones may be left out: the story starts them.
func newRig(t testing.TB, seed uint64, cfg fleets.Config) *rig {
	t.Helper()
	w := sim.New(sim.Config{Seed: seed, Trace: tracer()})
	t.Cleanup(w.Close)
	r := &rig{TB: t, Stage: stage.New(w, cfg)}
	r.ok(r.Boot())
	return r
}

func (r *rig) ok(err error) {
	r.Helper()
	if err != nil {
		r.Fatalf("seed %d at %v: %v", r.World.Seed(), r.World.Now(), err)
	}
}

func (r *rig) check(holds bool, format string, args ...any) {
	r.Helper()
	if !holds {
		r.Fatalf("seed %d at %v: %s", r.World.Seed(), r.World.Now(), fmt.Sprintf(format, args...))
	}
}

// pass lets virtual time pass.
func (r *rig) pass(d time.Duration) {
	r.Helper()
	r.ok(r.Pass(d))
}

// until waits for something that the story is about.
func (r *rig) until(what string, holds func() bool) {
	r.Helper()
	if err := r.World.RunUntil(stage.Patience, holds); err != nil {
		r.Fatalf("seed %d: waiting for %s: %v", r.World.Seed(), what, err)
	}
}

// done heals the fleet and judges the story.
func (r *rig) done() {
	r.Helper()
	r.Heal()
	r.ok(r.Judge())
}

// streamFor creates a stream whose designate is a star.
func (r *rig) streamFor(star *fleets.Star, mode peer.Mode, class peer.Class) *workload.Stream {
	r.Helper()
	stream, err := r.CreateFor(star, mode, class)
	r.ok(err)
	r.last = stream.Name
	return stream
}

// open opens a producer of a scribe.
func (r *rig) open(c *stage.Scribe, stream *workload.Stream, opts client.ProducerOptions) *stage.Pen {
	r.Helper()
	var pen *stage.Pen
	r.ok(c.Do(func(ctx context.Context) (err error) {
		pen, err = c.Open(ctx, stream, opts)
		return err
	}))
	return pen
}

// write appends n lines.
func (r *rig) write(c *stage.Scribe, pen *stage.Pen, n int) {
	r.Helper()
	r.ok(c.Do(func(ctx context.Context) error { return pen.WriteAll(ctx, n) }))
}

// close gives a handle back.
func (r *rig) close(c *stage.Scribe, pen *stage.Pen) {
	r.Helper()
	r.ok(c.Do(pen.Close))
}

// tail is the linearizable tail as the cluster client gets it.
func (r *rig) tail(c *stage.Scribe, stream *workload.Stream) (next uint64) {
	r.Helper()
	r.ok(c.Do(func(ctx context.Context) (err error) {
		next, err = c.Tail(ctx, stream)
		return err
	}))
	return next
}

// ask has a scribe call one star and gives the error of the call.
func (r *rig) ask(c *stage.Scribe, star *fleets.Star, call func(ctx context.Context, s peer.Star) error) (result error) {
	r.Helper()
	r.ok(c.Do(func(ctx context.Context) error {
		ctx, cancel := c.WithTimeout(ctx, time.Minute)
		defer cancel()
		result = call(ctx, c.Star(star))
		return nil
	}))
	return result
}

// openAt has a scribe open a stream at one star, and gives the handle back at once.
func (r *rig) openAt(c *stage.Scribe, star *fleets.Star, stream *workload.Stream) error {
	r.Helper()
	return r.ask(c, star, func(ctx context.Context, s peer.Star) error {
		session, err := s.OpenSession(ctx, peer.OpenRequest{Stream: stream.Name})
		if err == nil {
			err = session.Close(ctx)
		}
		return err
	})
}

// tailAt asks one star for the linearizable tail.
func (r *rig) tailAt(c *stage.Scribe, star *fleets.Star, stream *workload.Stream) (next uint64, err error) {
	r.Helper()
	err = r.ask(c, star, func(ctx context.Context, s peer.Star) error {
		reply, err := s.Tail(ctx, stream.Name)
		next = reply.Next
		return err
	})
	return next, err
}

// others are the stars but one.
func (r *rig) others(than *fleets.Star) (all []*fleets.Star) {
	for _, s := range r.Stars {
		if s != than {
			all = append(all, s)
		}
	}
	return all
}

// epoch is the row of the chain epoch that a writer row names.
func (r *rig) epoch(w *records.Writer) *records.ChainEpoch {
	row := &records.ChainEpoch{}
	rec, _ := r.Meta.Peek(simmeta.Records, keys.EpochRow(keys.StarID(w.GetStar()), keys.Epoch(w.GetChainEpoch())))
	r.ok(records.Decode(rec.Key, rec.Value, row))
	return row
}

// fence ends an Express chain epoch, cut and all, as a star does that takes its writer for dead.
func (r *rig) fence(w *records.Writer) {
	r.Helper()
	c := r.Scribe("fencer")
	r.ok(c.Do(func(ctx context.Context) error {
		e := env.Env{Run: c.Process, Meta: r.Meta.Spaces(c.Process), Star: "fencer", Boot: "fencer"}
		cluster := &records.Cluster{}
		rec, _ := r.Meta.Peek(simmeta.Records, keys.ClusterRow)
		if err := records.Decode(rec.Key, rec.Value, cluster); err != nil {
			return err
		}
		var stores []chain.Store
		for _, zone := range r.Zones {
			store, err := chain.Mark(ctx, e, cluster.GetId(), zone.Endpoint(), zone.Client(c.Process))
			if err != nil {
				return err
			}
			stores = append(stores, store)
		}
		set, err := chain.Express(stores)
		if err != nil {
			return err
		}
		_, err = chain.Fence(ctx, e, chain.NewStores(set), keys.StarID(w.GetStar()), keys.Epoch(w.GetChainEpoch()))
		return err
	}))
}

// marked says whether the last ref row of a stream bears the clean-release mark of its writer row.
func (r *rig) marked(id keys.StreamID) bool {
	rows := r.Meta.All(simmeta.Records, keys.RefsPrefix(id)+"/")
	if len(rows) == 0 {
		w := r.Writer(id)
		return w.GetCleanEpoch() == w.GetStreamEpoch()
	}
	row := &records.RefRow{}
	last := rows[len(rows)-1]
	r.ok(records.Decode(last.Key, last.Value, row))
	return row.GetCleanEpoch() == r.Writer(id).GetStreamEpoch()
}

// takes says by how much a note's count grows while something happens.
func (r *rig) takes(note string, during func()) uint64 {
	before := r.Noted(note)
	during()
	return r.Noted(note) - before
}

func asError(err error, to **peer.Error) bool { return errors.As(err, to) }

// tracer writes the trace of every world to a file, where NOVA_TRACE names one.
func tracer() sim.Tracer {
	name := os.Getenv("NOVA_TRACE")
	if name == "" {
		return nil
	}
	file, err := os.Create(name)
	if err != nil {
		panic(err)
	}
	return sim.NewLines(file)
}

func metaAt(v meta.Version) meta.Expect { return meta.At(v) }

func isConflict(err error) bool { return errors.Is(err, meta.ErrConflict) }

const settledState = records.ChainState_CHAIN_STATE_SETTLED

// registered says whether a star has a liveness record.
func (r *rig) registered(id keys.StarID) bool {
	_, found := r.Meta.Peek(simmeta.Ephemeral, keys.StarRow(id))
	return found
}

// unregister takes a star's liveness and stats records away.
func (r *rig) unregister(id keys.StarID) {
	r.Helper()
	c := r.Scribe("saboteur")
	r.ok(c.Do(func(ctx context.Context) error {
		rows := r.Meta.Spaces(c.Process).Ephemeral.Within(keys.FleetLocality)
		if err := rows.Delete(ctx, keys.StarRow(id), meta.Any()); err != nil {
			return err
		}
		return rows.Delete(ctx, keys.StatsRow(id), meta.Any())
	}))
}

const activeState = records.ChainState_CHAIN_STATE_ACTIVE
