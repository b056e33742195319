package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/novastream/nova/sim"
)

// crashRun lets a toy fleet of one star work for a while. The star's effect of that ordinal meets the fate; the star is
// started again whenever it died, and what is held is released after that.
func crashRun(t *testing.T, ordinal uint64, fate sim.Fate) (effects []string, hash uint64) {
	f := newToyFleet(3, nil, 1, 2, 2*time.Second)
	defer f.world.Close()
	f.world.JudgeEffects(func(e sim.Effect) sim.Fate {
		if e.Process.Name() != "a0" {
			return sim.Normal
		}
		effects = append(effects, fmt.Sprintf("%s %s after %q", e.Kind, e.Target, e.Step))
		if e.Ordinal == ordinal {
			return fate
		}
		return sim.Normal
	})
	deaths := 0
	watch := func() { deaths++ }
	for _, p := range f.world.Processes() {
		if p.Name() == "a0" {
			p.OnDeath(func() {
				watch()
				f.world.After(time.Second, func() {
					f.start(0)
					f.world.After(time.Second, f.world.Release)
				})
			})
		}
	}
	if err := f.world.RunFor(20 * time.Second); err != nil {
		t.Fatal(err)
	}
	done := f.done
	if err := f.world.RunFor(20 * time.Second); err != nil {
		t.Fatal(err)
	}
	dies := ordinal > 0 && fate != sim.Lost && fate != sim.Refused
	if f.done <= done || (deaths == 1) != dies || f.world.Held() != 0 {
		t.Errorf("effect %d %v: %d deaths, %d calls done, then %d, %d effects held", ordinal, fate, deaths, done, f.done, f.world.Held())
	}
	return effects, f.world.Hash()
}

// TestEveryEffectCanGoWrongInEveryWay is how crash points are enumerated: a clean run lists the effects, then each is met
// by each fate.
func TestEveryEffectCanGoWrongInEveryWay(t *testing.T) {
	clean, hash := crashRun(t, 0, sim.Normal)
	if _, again := crashRun(t, 0, sim.Normal); again != hash {
		t.Error("the clean run differs from itself")
	}
	if len(clean) < 30 {
		t.Fatalf("%d effects: %q", len(clean), clean)
	}
	for i := range uint64(15) {
		for _, fate := range sim.Fates() {
			effects, _ := crashRun(t, i+1, fate)
			if effects[i] != clean[i] {
				t.Errorf("effect %d was %s in the clean run and %s before it met its fate", i+1, clean[i], effects[i])
			}
		}
	}
}
