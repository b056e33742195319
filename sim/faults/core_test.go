package faults_test

import (
	"slices"
	"testing"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/faults"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simmeta"
)

// TestHealCore heals cores of many seeds: each is enough by the design, and only it works; then all heals.
func TestHealCore(t *testing.T) {
	ways := map[string]bool{}
	for seed := range uint64(30) {
		w := sim.New(sim.Config{Seed: seed})
		defer w.Close()
		f := fleets.New(w, fleets.Config{})
		f.Start()
		pass(t, w, 5*time.Second)
		plan := faults.Start(f, []string{"crash", "pause", "isolate", "dark-zone", "stay-away", "twin"}, time.Minute)
		pass(t, w, time.Minute)
		core := plan.HealCore(w.Rand("core"))
		pass(t, w, 2*f.SessionTimeOut())
		if len(core.Stars) == 0 || len(core.Stars)+len(core.Broken) != len(f.Stars) {
			t.Fatalf("seed %d: the core %v is none of %d stars", seed, core, len(f.Stars))
		}
		if 2*len(core.Dark) >= len(f.Zones) {
			t.Errorf("seed %d: %v leaves no quorum of stores", seed, core)
		}
		for _, s := range f.Stars {
			works := s.Alive() && s.Serving != nil && !s.Process.Paused() && !f.Net.Severed(s.Name, simmeta.Endpoint)
			if wanted := slices.Contains(core.Stars, s.Name); works != wanted {
				t.Errorf("seed %d: %s works: %v, in the core %v", seed, s.Name, works, core)
			}
		}
		for _, broken := range core.Broken {
			ways[broken[len("star-1 "):]] = true
		}
		plan.Heal()
		pass(t, w, 30*time.Second)
		for _, s := range f.Stars {
			if !s.Alive() || s.Serving == nil || s.Process.Paused() {
				t.Errorf("seed %d: %s does not serve when all is healed", seed, s.Name)
			}
		}
	}
	if len(ways) != 4 {
		t.Errorf("stars were broken in the ways %v only", ways)
	}
}

// TestHealCoreOfAStoppedStar: a star that boots reads the marker of every store, so no zone of its core is dark, also where it
// had served until a moment ago, or serves and was told to stop.
func TestHealCoreOfAStoppedStar(t *testing.T) {
	for name, stop := range map[string]func(*fleets.Star){
		"died":    func(s *fleets.Star) { s.Process.Kill() },
		"is told": func(s *fleets.Star) { s.Stop(time.Minute) },
	} {
		for seed := range uint64(20) {
			w := sim.New(sim.Config{Seed: seed})
			defer w.Close()
			f := fleets.New(w, fleets.Config{Stars: 2})
			f.Start()
			pass(t, w, 5*time.Second)
			plan := faults.Start(f, []string{"dark-zone"}, time.Minute)
			stop(f.Stars[0])
			core := plan.HealCore(w.Rand("core"))
			if slices.Contains(core.Stars, f.Stars[0].Name) && len(core.Dark) > 0 {
				t.Errorf("%s, seed %d: the core %v cannot boot", name, seed, core)
			}
		}
	}
}

func pass(t *testing.T, w *sim.World, d time.Duration) {
	t.Helper()
	if err := w.RunFor(d); err != nil {
		t.Fatal(err)
	}
}
