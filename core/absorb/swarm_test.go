package absorb_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/novastream/nova/core/absorb"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simmeta"
)

var streams = []keys.StreamID{"s0", "s1", "s2"}

// swarm lets everything go wrong at once: stars that open, write, release, pause, die and boot again beside their own
// zombies; settlers that end live and dead epochs and die in between; folders that settle rows away; every fault of store
// and metastore. Then the world heals, every epoch is settled, and the streams are read back through their refs.
func swarm(t testing.TB, seed uint64, bugs planted.Set) *rig {
	rng := rand.New(rand.NewPCG(seed, 2))
	r := newRig(t, seed)
	r.bugs = bugs
	stars := []*star{r.busy("a"), r.busy("b")}
	rate := []sim.Rate{sim.Never, sim.Percent, 5 * sim.Percent}[rng.IntN(3)]
	stale := []sim.Rate{sim.Never, 10 * sim.Percent, 60 * sim.Percent}[rng.IntN(3)]
	r.blob.SetFaults(simblob.Faults{
		LoseAfter: rate, LoseBefore: rate, ErrorAfter: rate, Refuse: rate, Repeat: rate, Late: rate, LateUpto: time.Minute, FlipBits: rate / 2,
	})
	r.meta.SetFaults(simmeta.Faults{
		StaleReads: stale, StaleUpto: 3 * time.Second, Refuse: rate, LoseBefore: rate, LoseAfter: rate, Late: rate, LateUpto: 30 * time.Second,
	})
	for range 60 {
		r.pass(time.Duration(rng.IntN(200)) * time.Millisecond)
		r.mishap(rng, stars, rng.IntN(len(stars)))
	}
	r.blob.SetFaults(simblob.Faults{})
	r.meta.SetFaults(simmeta.Faults{})
	for _, s := range stars {
		s.p.Resume()
	}
	r.pass(3 * time.Minute)
	for _, s := range stars {
		s.p.Kill()
	}
	r.settleAll("a", "b")
	return r
}

// busy boots a star that opens, writes and releases streams by itself as long as it lives.
func (r *rig) busy(name string) *star {
	s := r.boot(name)
	s.p.Go("life", func(ctx context.Context) {
		rng := s.p.Rand()
		for s.p.Sleep(ctx, time.Duration(rng.IntN(60))*time.Millisecond) == nil && r.world.Now() < swarmTime {
			id := streams[rng.IntN(len(streams))]
			switch rng.IntN(12) {
			case 0:
				s.p.Go("release", func(ctx context.Context) { s.release(ctx, id) })
			case 1:
				s.p.Go("open", func(ctx context.Context) { s.open(ctx, id) })
			default:
				for range 1 + rng.IntN(4) {
					s.append(id, rng.IntN(900))
				}
			}
		}
	})
	return s
}

// swarmTime is how long stars are busy.
const swarmTime = 12 * time.Second

func (r *rig) mishap(rng *rand.Rand, stars []*star, i int) {
	s := stars[i]
	switch rng.IntN(12) {
	case 0:
		s.p.Pause()
		r.world.After(time.Duration(rng.IntN(3000))*time.Millisecond, s.p.Resume)
	case 1:
		s.p.Kill()
		stars[i] = r.busy(string(s.env.Star))
	case 2: // a zombie keeps its identity
		s.p.Pause()
		r.world.After(time.Duration(rng.IntN(10_000))*time.Millisecond, s.p.Resume)
		stars[i] = r.busy(string(s.env.Star))
	case 3, 4:
		r.settleNewest(rng, s)
	default:
		for _, id := range streams {
			r.fold(rng, id)
		}
	}
}

// settleNewest starts a settler of the star's newest epoch; it may die or stall in the middle.
func (r *rig) settleNewest(rng *rand.Rand, s *star) {
	rows := r.meta.All(simmeta.Records, keys.ChainObjects(s.env.Star))
	if len(rows) == 0 {
		return
	}
	epoch, _ := keys.ParseEpochRow(rows[len(rows)-1].Key)
	u := r.life("settler")
	u.p.Go("settle", func(ctx context.Context) { _ = absorb.Settle(ctx, u.env, u.stores, s.env.Star, epoch) })
	at := time.Duration(rng.IntN(200)) * time.Millisecond
	switch rng.IntN(3) {
	case 0:
		r.world.After(at, u.p.Kill)
	case 1:
		r.world.After(at, u.p.Pause)
		r.world.After(at+time.Duration(rng.IntN(20_000))*time.Millisecond, u.p.Resume)
	}
}

// fold settles a run of rows of a stream into the first of them, as the auditor does: by CAS on the first, then deletes by
// version, never touching the last row of the stream.
func (r *rig) fold(rng *rand.Rand, id keys.StreamID) {
	p := r.world.Process("folder")
	m := r.meta.Spaces(p).Records
	rows := r.rows(id)
	p.Go("fold", func(ctx context.Context) {
		defer p.Kill()
		if len(rows) < 3 {
			return
		}
		from := rng.IntN(len(rows) - 2)
		run := rows[from : len(rows)-1]
		first := run[0]
		taken := run[:1]
		for _, next := range run[1:] {
			if next.First != first.End() {
				break
			}
			first.Value.Spans = append(first.Value.Spans, next.Value.Spans...)
			first.Value.End, first.Value.LastStampUs = next.Value.End, next.Value.LastStampUs
			taken = append(taken, next)
		}
		if _, err := refs.Replace(ctx, m, id, first); err != nil {
			return
		}
		for _, row := range taken[1:] {
			if refs.Delete(ctx, m, id, row.First, row.Version) != nil {
				return
			}
		}
	})
}

// TestSwarm runs many seeds.
func TestSwarm(t *testing.T) {
	seeds := uint64(150)
	if testing.Short() {
		seeds = 10
	}
	acked, redundant, notes := 0, uint64(0), map[string]uint64{}
	for seed := range seeds {
		r := swarm(t, seed, planted.Set{})
		r.check(streams...)
		for _, id := range streams {
			acked += len(r.acked[id])
		}
		for _, c := range r.world.Counters().Notes() {
			notes[c.Name] += c.Times
		}
		redundant += r.stepped("settle.redundant") + r.stepped("absorb.redundant") + r.stepped("flush.redundant")
		r.world.Close()
	}
	t.Logf("%d acknowledged, %d redundant rows deleted, notes %v", acked, redundant, notes)
	if acked == 0 || notes["chain epoch settled"] == 0 {
		t.Error("nothing happened")
	}
	if notes["broken refs"] > 0 || notes["cut differs"] > 0 {
		t.Error("something loud was noted")
	}
}

// TestSwarmFindsPlantedBug moves the checkpoint before the rows are committed; the swarm must find it.
func TestSwarmFindsPlantedBug(t *testing.T) {
	const seeds = 50
	for seed := range uint64(seeds) {
		if found := findsBug(seed, planted.CheckpointBeforeRows); found != "" {
			t.Logf("found by seed %d: %s", seed, found)
			return
		}
	}
	t.Errorf("not found in %d seeds", seeds)
}

// findsBug runs one seed with a bug and gives what was seen broken.
func findsBug(seed uint64, bug planted.Bug) (found string) {
	quiet := &quietTB{}
	defer func() {
		if v := recover(); v != nil {
			if _, stopped := v.(*quietTB); !stopped {
				panic(v)
			}
			found = quiet.text
		}
		for _, fn := range quiet.cleanup {
			fn()
		}
	}()
	swarm(quiet, seed, planted.Of(bug)).check(streams...)
	return ""
}

// quietTB catches the failure of a run that is meant to fail.
type quietTB struct {
	testing.TB
	text    string
	cleanup []func()
}

func (q *quietTB) Helper()           {}
func (q *quietTB) Cleanup(fn func()) { q.cleanup = append(q.cleanup, fn) }
func (q *quietTB) Fatal(args ...any) { q.text = fmt.Sprint(args...); panic(q) }
func (q *quietTB) Fatalf(format string, args ...any) {
	q.text = fmt.Sprintf(format, args...)
	panic(q)
}
