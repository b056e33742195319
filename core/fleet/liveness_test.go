package fleet_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/fleet"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

// judgement asks a judge every two seconds, and tells when it said dead first.
type judgement struct {
	judge *fleet.Judge
	w     *world
	asks  int
	dead  time.Duration // virtual time; 0 before
}

// watch starts a process that judges a star over and over.
func (w *world) watch(name string) *judgement {
	p := w.sim.Process("judge")
	j := &judgement{judge: fleet.NewJudge(w.env(p), sessionTimeout), w: w}
	p.Go("judge", func(ctx context.Context) {
		for p.Sleep(ctx, 2*time.Second) == nil {
			dead, err := j.judge.Dead(ctx, keys.StarID(name))
			if err != nil {
				continue
			}
			if j.asks++; dead && j.dead == 0 {
				j.dead = w.sim.Now()
			}
		}
	})
	return j
}

// wantDead demands when the judge said dead first, within a few seconds.
func (j *judgement) wantDead(at time.Duration) {
	j.w.Helper()
	if off := j.dead - at; j.asks == 0 || j.dead == 0 || off < 0 || off > 5*time.Second {
		j.w.Errorf("dead at %v after %d asks, want soon after %v", j.dead, j.asks, at)
	}
}

func TestALiveStarIsNotDead(t *testing.T) {
	w := newWorld(t, 1)
	w.boot("a")
	w.run(time.Second)
	j := w.watch("a")
	w.run(30 * time.Minute)
	if j.dead != 0 || j.asks < 800 {
		t.Errorf("dead at %v after %d asks", j.dead, j.asks)
	}
}

func TestAStarThatNeverRegisteredIsDead(t *testing.T) {
	w := newWorld(t, 1)
	j := w.watch("a")
	w.run(5 * time.Second)
	j.wantDead(2 * time.Second)
}

func TestAKilledStarIsDeadWithItsSession(t *testing.T) {
	w := newWorld(t, 1)
	s := w.boot("a")
	w.run(10 * time.Second)
	j := w.watch("a")
	s.process.Kill()
	w.run(9 * time.Second)
	if j.dead != 0 {
		t.Fatalf("dead at %v, while its session lived", j.dead)
	}
	w.run(time.Minute)
	j.wantDead(20 * time.Second)
}

// A store that misbehaves keeps the rows of a dead star. Its stats stand still, and that is enough.
func TestRowsThatOutliveTheirStar(t *testing.T) {
	w := newWorld(t, 1)
	s := w.boot("a")
	j := w.watch("a")
	w.run(11 * time.Second)
	w.store.SetFaults(simmeta.Faults{Outlive: sim.Always, OutliveUpto: 1000 * time.Hour})
	s.process.Kill()
	w.run(2 * time.Minute)
	if boot, _ := w.rows("a"); boot == "" {
		t.Fatal("the rows did not outlive the star")
	}
	j.wantDead(10*time.Second + 2*sessionTimeout)
}

// A paused star's session can live on where somebody else extends it; nobody else moves its stats.
func TestAbsentStatsCountAsNotMoving(t *testing.T) {
	w := newWorld(t, 1)
	s := w.boot("a")
	j := w.watch("a")
	w.run(11 * time.Second)
	w.store.SetFaults(simmeta.Faults{Outlive: sim.Always, OutliveUpto: 1000 * time.Hour})
	s.process.Kill()
	w.run(5 * time.Second)
	w.remove(keys.StatsRow("a"))
	w.run(2 * time.Minute)
	j.wantDead(16*time.Second + 2*sessionTimeout) // since their absence was seen

	again := w.boot("a")
	w.run(5 * time.Second)
	j.dead = 0
	w.run(10 * time.Minute)
	if j.dead != 0 || again.ended {
		t.Errorf("the star is back, and dead at %v", j.dead)
	}
}

// The judge counts only between its own reads: the first sight of stats that stand still proves nothing.
func TestTheFirstSightProvesNothing(t *testing.T) {
	w := newWorld(t, 1)
	s := w.boot("a")
	w.run(11 * time.Second)
	w.store.SetFaults(simmeta.Faults{Outlive: sim.Always, OutliveUpto: 1000 * time.Hour})
	s.process.Kill()
	w.run(time.Hour)
	j := w.watch("a")
	w.run(2*sessionTimeout - time.Second)
	if j.dead != 0 || j.asks == 0 {
		t.Fatalf("dead at %v after %d asks", j.dead, j.asks)
	}
	w.run(10 * time.Second)
	j.wantDead(time.Hour + 11*time.Second + 2*sessionTimeout + 2*time.Second)
}

// A judge that cannot read does not judge.
func TestNoAnswerIsNoJudgement(t *testing.T) {
	w := newWorld(t, 1)
	w.boot("a")
	w.run(3 * time.Second)
	for shard := range w.store.Shards(simmeta.Ephemeral) {
		w.store.SetDown(simmeta.Ephemeral, shard, true)
	}
	w.do(func(ctx context.Context) {
		if dead, err := fleet.NewJudge(w.env(w.sim.Driver()), sessionTimeout).Dead(ctx, "a"); dead || err == nil {
			t.Errorf("got %v, %v", dead, err)
		}
	})
}

// A judge that is held between a look and its answer learns from it what was true when it looked, and no more.
func TestAHeldJudgeCountsUntilItAsked(t *testing.T) {
	w := newWorld(t, 1)
	w.boot("a")
	w.run(11 * time.Second)
	j := w.watch("a")
	looks := 0
	w.sim.WatchReads(func(e sim.Effect) {
		p := e.Process
		if p.Name() != "judge" || e.Target != keys.StatsRow("a") {
			return
		}
		if looks++; looks%2 == 0 { // soon after a look at the same stats
			p.Pause()
			w.sim.After(2*sessionTimeout, p.Resume)
		}
	})
	w.run(30 * time.Minute)
	if j.dead != 0 || j.asks < 50 || looks < j.asks {
		t.Errorf("dead at %v after %d asks, %d looks", j.dead, j.asks, looks)
	}
}

// Stats that go away while nobody looks may have moved until then: the session ended a moment ago, and its star is about to
// register again.
func TestStatsThatGoAwayMovedBefore(t *testing.T) {
	w := newWorld(t, 1)
	w.boot("a")
	w.run(10 * time.Second)
	judge := fleet.NewJudge(w.env(w.sim.Driver()), sessionTimeout)
	ask := func(when string) {
		w.do(func(ctx context.Context) {
			if dead, err := judge.Dead(ctx, "a"); dead || err != nil {
				t.Errorf("%s: %v, %v", when, dead, err)
			}
		})
	}
	ask("before")
	w.run(2*sessionTimeout + time.Second)
	w.remove(keys.StatsRow("a"))
	ask("after the stats went away")
}
