package chain_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/sim"
)

// TestCrashPoints runs one story again and again: a star mints, writes, is fenced while it lives, closes, mints anew, writes
// and stops cleanly; a fencer ends the first epoch and sweeps it. Each time another effect of the two goes wrong in one of
// the five ways. Whoever died comes back; in the end every invariant holds and no step of the story is left out.
func TestCrashPoints(t *testing.T) {
	type effect struct {
		process string
		ordinal uint64
		step    string
	}
	var effects []effect
	r, _ := crashStory(t, func(e sim.Effect) sim.Fate {
		effects = append(effects, effect{e.Process.Name(), e.Ordinal, e.Step})
		return sim.Normal
	})
	r.check("a")
	crossed := map[string]bool{}
	for _, e := range effects {
		crossed[e.step] = true
		for _, fate := range sim.Fates() {
			hit := false
			r, settled := crashStory(t, func(now sim.Effect) sim.Fate {
				if !hit && now.Process.Name() == e.process && now.Ordinal == e.ordinal {
					hit = true
					return fate
				}
				return sim.Normal
			})
			if !hit || !settled {
				t.Errorf("%s at effect %d of %s (%s): hit %v, comes to an end %v", fate, e.ordinal, e.process, e.step, hit, settled)
			}
			r.check("a")
			r.world.Close()
		}
	}
	for _, step := range []string{"mint.counter", "mint.row", "append.put", "close.cut", "fence.row", "fence.ahead", "fence.poison", "fence.cut", "sweep.delete"} {
		if !crossed[step] {
			t.Errorf("the story does not cross %s", step)
		}
	}
	t.Logf("%d effects", len(effects))
}

func crashStory(t *testing.T, judge func(sim.Effect) sim.Fate) (*rig, bool) {
	r := newRig(t, 11, 3)
	r.world.JudgeEffects(func(e sim.Effect) sim.Fate {
		if name := e.Process.Name(); name != "a" && name != "fencer" {
			return sim.Normal
		}
		return judge(e)
	})
	s := r.boot("a")
	alive := func() *star { // the star comes back when it died
		if !s.p.Alive() {
			s = r.boot("a")
		}
		return s
	}
	write := func() {
		r.until(time.Hour, func() bool { _, ok := alive().writer.Current(); return ok })
		r.p(s, 8, 700)
		r.pass(8 * time.Millisecond)
	}
	write()
	ended := false
	end := func(ctx context.Context, f *fencer) {
		row, err := f.fence(ctx, "a", 1)
		if _, published := row.Cut(); err == nil && published {
			ended = f.sweep(ctx, "a", 1) == nil
		}
	}
	f := r.fencer("fencer")
	f.p.Go("end", func(ctx context.Context) { end(ctx, f) })
	r.pass(10 * time.Second)
	if !f.p.Alive() {
		f = r.fencer("fencer")
		f.p.Go("end", func(ctx context.Context) { end(ctx, f) })
	}
	write()
	r.pass(10 * time.Second)
	write()
	s.p.Go("close", func(ctx context.Context) { _ = s.close(ctx) })
	r.pass(10 * time.Second)
	r.world.JudgeEffects(nil)
	alive()
	r.pass(10 * time.Second)
	r.world.Release()
	r.pass(10 * time.Second)
	s.p.Kill()
	r.fenceAll("a")
	return r, ended && r.row("a", keys.Epoch(1)).Cut != nil
}
