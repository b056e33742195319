package chain_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/sim"
)

// swarm lets everything go wrong at once, by chance: stars that write, pause, die, stop cleanly and boot again beside their
// own zombies; fencers that end live and dead epochs and die in between; sweepers; every fault of stores and metastore.
// Then the world heals, every epoch is ended, and the chains are held against what the stars told.
func swarm(t testing.TB, seed uint64, bugs planted.Set) *rig {
	rng := rand.New(rand.NewPCG(seed, 1))
	r := newRig(t, seed, []int{1, 3, 3, 5}[rng.IntN(4)])
	r.bugs = bugs
	stars := []*star{r.boot("a"), r.boot("b")}
	rate := []sim.Rate{sim.Never, sim.Percent, 5 * sim.Percent}[rng.IntN(3)]
	for _, b := range r.blobs {
		b.SetFaults(unkind(rate))
	}
	r.meta.SetFaults(unkindMeta(rate))
	for range 60 {
		r.pass(time.Duration(rng.IntN(30)) * time.Millisecond)
		i := rng.IntN(len(stars))
		r.mishap(rng, stars, i)
	}
	r.heal()
	for _, s := range stars {
		s.p.Resume()
	}
	r.pass(2 * time.Minute)
	for _, s := range stars {
		if s.p.Alive() {
			s.p.Go("close", func(ctx context.Context) { _ = s.close(ctx) })
		}
	}
	r.pass(time.Minute)
	for _, s := range stars {
		s.p.Kill()
	}
	r.fenceAll("a")
	r.fenceAll("b")
	return r
}

// mishap is one thing that happens in a swarm; star i is in the middle of it.
func (r *rig) mishap(rng *rand.Rand, stars []*star, i int) {
	s := stars[i]
	switch rng.IntN(16) {
	case 0:
		s.p.Pause()
	case 1, 2:
		s.p.Resume()
	case 3:
		s.p.Kill()
		stars[i] = r.boot(string(s.env.Star))
	case 4: // a zombie keeps its identity
		s.p.Pause()
		r.world.After(time.Duration(rng.IntN(2000))*time.Millisecond, s.p.Resume)
		stars[i] = r.boot(string(s.env.Star))
	case 5, 6, 7:
		r.fenceNewest(rng, s)
	case 8:
		r.sweepAll(s)
	case 9:
		r.blobs[rng.IntN(len(r.blobs))].SetDark(rng.IntN(3) == 0)
	default:
		if s.p.Alive() && !s.p.Paused() {
			s.p.Go("load", func(ctx context.Context) {
				for range 5 {
					for j := range 1 + rng.IntN(6) {
						s.append(fmt.Sprintf("s%d", j), rng.IntN(900))
					}
					if rng.IntN(3) == 0 {
						s.barrier()
					}
					_ = s.p.Sleep(ctx, time.Duration(rng.IntN(10))*time.Millisecond)
				}
			})
		}
	}
}

// fenceNewest starts a fencer of the star's newest epoch; it may die in the middle.
func (r *rig) fenceNewest(rng *rand.Rand, s *star) {
	epochs := r.epochs(s.env.Star)
	if len(epochs) == 0 {
		return
	}
	f := r.fencer("fencer")
	f.p.Go("fence", func(ctx context.Context) { _, _ = f.fence(ctx, s.env.Star, epochs[len(epochs)-1]) })
	if rng.IntN(3) == 0 {
		r.world.After(time.Duration(rng.IntN(40))*time.Millisecond, f.p.Kill)
	}
}

func (r *rig) sweepAll(s *star) {
	f := r.fencer("sweeper")
	f.p.Go("sweep", func(ctx context.Context) {
		for _, epoch := range r.epochs(s.env.Star) {
			_ = f.sweep(ctx, s.env.Star, epoch)
		}
	})
}

// TestSwarm runs many seeds.
func TestSwarm(t *testing.T) {
	seeds := uint64(150)
	if testing.Short() {
		seeds = 10
	}
	total := map[chain.Outcome]int{}
	for seed := range seeds {
		r := swarm(t, seed, planted.Set{})
		r.check("a", "b")
		for _, c := range r.world.Counters().Notes() {
			if c.Name == "cut differs" || c.Name == "two flights in one slot" {
				t.Errorf("seed %d: %s", seed, c.Name)
			}
		}
		for outcome, n := range r.outcomes() {
			total[outcome] += n
		}
		r.world.Close()
	}
	t.Logf("%v", total)
	for _, o := range []chain.Outcome{chain.Durable, chain.NotAppended} {
		if total[o] == 0 {
			t.Errorf("no batch in %d seeds ended as %v", seeds, o)
		}
	}
}

// TestSwarmFindsPlantedBugs plants each bug of this package on its own; the swarm must find it.
func TestSwarmFindsPlantedBugs(t *testing.T) {
	if testing.Short() {
		t.Skip("many seeds")
	}
	bugs := []planted.Bug{
		planted.NoPrefixAck, planted.AckBeforeQuorum, planted.NoPoison, planted.PoisonDeleted, planted.NoOwnCopyCheck,
		planted.CountingIsDefinite, planted.IdentityIsProcess, planted.FencerTrustsOneStore,
	}
	for _, bug := range bugs {
		t.Run(bug.String(), func(t *testing.T) {
			const seeds = 400
			for seed := range uint64(seeds) {
				if found := findsBug(seed, bug); found != "" {
					t.Logf("found by seed %d: %s", seed, found)
					return
				}
			}
			t.Errorf("not found in %d seeds", seeds)
		})
	}
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
		quiet.cleanUp()
	}()
	swarm(quiet, seed, planted.Of(bug)).check("a", "b")
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

func (q *quietTB) cleanUp() {
	for _, fn := range q.cleanup {
		fn()
	}
}
