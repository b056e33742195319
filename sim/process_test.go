package sim

import (
	"context"
	"slices"
	"testing"
	"time"
)

func TestKillUnwindsWithoutEffect(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	s := p.NewSignal()
	deferred, after := 0, 0
	for range 3 {
		p.Go("waiter", func(ctx context.Context) {
			defer func() {
				deferred++
				_ = p.Sleep(context.Background(), time.Second)
				after++
			}()
			_ = s.Wait(ctx)
			after++
		})
	}
	must(t, w.RunFor(0))
	died := false
	p.OnDeath(func() { died = true })
	p.Go("never begins", func(context.Context) { after++ })
	p.Kill()
	must(t, w.RunFor(time.Hour))
	if deferred != 3 || after != 0 || !died || p.Tasks() != 0 {
		t.Errorf("deferred %d, after %d, died %v, tasks %d", deferred, after, died, p.Tasks())
	}
	if again := w.Process("a1"); again.Boot() != 2 {
		t.Errorf("boot %d", again.Boot())
	}
}

func TestStepHookKillsRightThere(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	w.OnStep(func(p *Process, name string) {
		if name == "mint.row" {
			p.Kill()
		}
	})
	passed, other := "", false
	p.Go("other", func(ctx context.Context) { other = p.Sleep(ctx, time.Second) == nil })
	p.Go("mint", func(ctx context.Context) {
		for _, step := range []string{"mint.counter", "mint.row", "mint.done"} {
			p.Step(ctx, step)
			passed += step + " "
		}
	})
	must(t, w.RunFor(time.Minute))
	if passed != "mint.counter " || other || p.Alive() {
		t.Errorf("passed %q, other %v, alive %v", passed, other, p.Alive())
	}
	if got := w.Counters().Steps(); len(got) != 2 || got[1] != (Count{"mint.row", 1}) {
		t.Errorf("steps %v", got)
	}
}

func TestPauseHoldsTasksWhileTimePasses(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	var woke []time.Duration
	p.Go("ticker", func(ctx context.Context) {
		for p.Sleep(ctx, time.Second) == nil {
			woke = append(woke, w.Now())
		}
	})
	must(t, w.RunFor(1500*time.Millisecond))
	p.Pause()
	must(t, w.RunFor(time.Minute))
	p.Resume()
	must(t, w.RunFor(time.Second))
	if want := []time.Duration{time.Second, 61500 * time.Millisecond, 62500 * time.Millisecond}; !slices.Equal(woke, want) {
		t.Errorf("woke at %v, want %v", woke, want)
	}
}

func TestSlowProcessTakesTurns(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	p.SetSlow(time.Second)
	ended := 0
	for range 5 {
		p.Go("work", func(context.Context) { ended++ })
	}
	must(t, w.RunFor(2500*time.Millisecond))
	if ended != 3 {
		t.Errorf("%d tasks ran in 2.5 s of 1 s steps", ended)
	}
}

func TestClocksDriftAndJump(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	if !p.Now().Equal(w.Wall()) {
		t.Errorf("an untouched clock shows %v, not %v", p.Now(), w.Wall())
	}
	p.SetDrift(100_000) // a tenth fast
	from := p.Elapsed()
	var real, own time.Duration
	p.Go("sleeper", func(ctx context.Context) {
		if p.Sleep(ctx, 11*time.Second) == nil {
			real, own = w.Now(), p.Elapsed()-from
		}
	})
	must(t, w.RunFor(time.Minute))
	if own < 11*time.Second || own > 11*time.Second+time.Microsecond || real.Round(time.Millisecond) != 10*time.Second {
		t.Errorf("slept %v of its own, %v of the world's", own, real)
	}
	before := p.Now()
	p.JumpWall(-time.Hour)
	if p.Now().Sub(before) != -time.Hour {
		t.Errorf("jumped by %v", p.Now().Sub(before))
	}
}
