package absorb_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim"
)

// TestCrashPoints runs one story again and again: star a writes two streams, absorbs, flushes one; star b settles a's
// living epoch and takes the streams over; a closes, mints anew and settles behind. Each time another effect of the two
// goes wrong in one of the five ways. Whoever died comes back; in the end every record is where it was acknowledged.
func TestCrashPoints(t *testing.T) {
	type effect struct {
		process string
		ordinal uint64
		step    string
	}
	var effects []effect
	crossed := map[string]bool{}
	crashStory(t, func(e sim.Effect) sim.Fate {
		effects = append(effects, effect{e.Process.Name(), e.Ordinal, e.Step})
		crossed[e.Step] = true
		return sim.Normal
	}).check("s0", "s1")
	for _, step := range []string{"absorb.row", "flush.row", "settle.row", "absorb.checkpoint", "settle.done"} {
		if !crossed[step] {
			t.Errorf("the story does not cross %s", step)
		}
	}
	for _, e := range effects {
		for _, fate := range sim.Fates() {
			hit := false
			r := crashStory(t, func(now sim.Effect) sim.Fate {
				if !hit && now.Process.Name() == e.process && now.Ordinal == e.ordinal {
					hit = true
					return fate
				}
				return sim.Normal
			})
			if !hit {
				t.Errorf("effect %d of %s (%s) did not come again", e.ordinal, e.process, e.step)
			}
			r.check("s0", "s1")
			r.world.Close()
		}
	}
	t.Logf("%d effects", len(effects))
}

func crashStory(t *testing.T, judge func(sim.Effect) sim.Fate) *rig {
	r := newRig(t, 4)
	r.world.JudgeEffects(func(e sim.Effect) sim.Fate {
		if name := e.Process.Name(); name != "a" && name != "b" {
			return sim.Normal
		}
		return judge(e)
	})
	stars := map[string]*star{"a": r.boot("a"), "b": r.boot("b")}
	with := func(name string, d time.Duration, fn func(ctx context.Context, s *star)) { // it comes back when it died
		if !stars[name].p.Alive() {
			stars[name] = r.boot(name)
		}
		s := stars[name]
		s.p.Go("story", func(ctx context.Context) { fn(ctx, s) })
		r.pass(d)
	}
	write := func(ctx context.Context, s *star) {
		for _, id := range []keys.StreamID{"s0", "s1"} {
			s.open(ctx, id)
			for range 4 {
				s.append(id, 900)
			}
		}
	}
	with("a", 3*time.Second, write)
	with("a", 300*time.Millisecond, func(ctx context.Context, s *star) {
		write(ctx, s)
		s.release(ctx, "s0")
	})
	with("b", 300*time.Millisecond, write)
	with("a", 3*time.Second, write)
	with("b", 3*time.Second, func(ctx context.Context, s *star) {
		write(ctx, s)
		_ = s.writer.Close(ctx)
	})
	r.world.JudgeEffects(nil)
	r.pass(10 * time.Second)
	r.world.Release()
	r.pass(10 * time.Second)
	for _, name := range []string{"a", "b"} {
		stars[name].p.Kill()
	}
	r.settleAll("a", "b")
	for _, name := range []keys.StarID{"a", "b"} {
		for epoch := keys.Epoch(1); epoch <= 2; epoch++ {
			if row := r.epoch(name, epoch); row.Boot != "" && row.State != records.ChainState_CHAIN_STATE_SETTLED {
				r.violate("epoch %d of %s is not settled", epoch, name)
			}
		}
	}
	return r
}
