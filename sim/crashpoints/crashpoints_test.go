package crashpoints

import (
	"slices"
	"testing"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/sim"
)

// TestEverything enumerates every effect of every scenario in every fate, and some pairs, and holds the steps that were crossed
// against those that the core names.
func TestEverything(t *testing.T) {
	every := 150
	if testing.Short() {
		every = 0
	}
	var crossed []string
	for _, s := range All() {
		t.Run(s.Name, func(t *testing.T) {
			r := Enumerate(s, Options{Seed: 1}, Plan{Every: every, Stop: func(r Report) bool { return len(r.Failures) >= 3 }})
			for _, f := range r.Failures {
				t.Errorf("%v", f)
			}
			if len(r.Told.Effects) == 0 {
				t.Error("the story has no effects")
			}
			crossed = append(crossed, r.Told.Steps...)
			t.Logf("%d effects, %d tellings; %v", len(r.Told.Effects), r.Tellings, r.Told.Steps)
		})
	}
	named := namedSteps(t)
	for _, step := range named {
		reason, excepted := Beyond()[step]
		switch known := slices.Contains(crossed, step); {
		case !known && !excepted:
			t.Errorf("no scenario crosses the step %s of the core: add one to All", step)
		case known && excepted:
			t.Errorf("the step %s is crossed; the exception (%s) is not needed any more", step, reason)
		}
	}
	if len(named) < 25 {
		t.Errorf("only %d steps are found in the sources: %v", len(named), named)
	}
}

// TestSameStoryTwice: a telling is a pure function of the scenario, the seed and the hits.
func TestSameStoryTwice(t *testing.T) {
	for _, s := range All() {
		var before Told
		for i := range 2 {
			told, err := s.Tell(Options{Seed: 5}, Hit{0, sim.Lost})
			if err != nil {
				t.Fatalf("%s: %v", s.Name, err)
			}
			if i > 0 && (!slices.Equal(told.Effects, before.Effects) || !slices.Equal(told.Steps, before.Steps)) {
				t.Errorf("%s: the second telling differs", s.Name)
			}
			before = told
		}
	}
}

// TestPlantedBugsAreFound: a core with a rule removed does not pass. An enumeration that finds nothing proves nothing.
func TestPlantedBugsAreFound(t *testing.T) {
	for scenario, bugs := range map[string][]planted.Bug{
		"lead":      {planted.EpochInMemory, planted.CheckpointBeforeRows, planted.AckBeforeQuorum},
		"supersede": {planted.SkipReleaseFlush, planted.AckAfterMark},
		"join":      {planted.LeaseIsTheGuard, planted.TailBeforeCAS, planted.NoOwnCopyCheck},
		"partial":   {planted.FencerTrustsOneStore, planted.PoisonDeleted},
		"restart":   {planted.GateByScan, planted.CreateIsCoverage},
		"headless":  {planted.LeadPastEpoch},
	} {
		for _, bug := range bugs {
			if tellings := findBug(t, scenario, bug); tellings > 0 {
				t.Errorf("%s passes %d tellings of %s", bug, tellings, scenario)
			}
		}
	}
}

// findBug enumerates a scenario in a few worlds, with a bug planted. It gives the number of tellings that did not find it, or 0.
func findBug(t *testing.T, scenario string, bug planted.Bug) (tellings int) {
	t.Helper()
	s, ok := Find(scenario)
	if !ok {
		t.Fatalf("no scenario %s", scenario)
	}
	for seed := range uint64(5) {
		r := Enumerate(s, Options{Seed: seed, Bugs: planted.Of(bug)}, Plan{Stop: func(r Report) bool { return len(r.Failures) > 0 }})
		if len(r.Failures) > 0 {
			return 0
		}
		tellings += r.Tellings
	}
	return tellings
}

// TestAMissedHitIsAnError: an effect that does not come again is not passed over.
func TestAMissedHitIsAnError(t *testing.T) {
	s, _ := Find("boot")
	if _, err := s.Tell(Options{Seed: 1}, Hit{1 << 20, sim.Lost}); err == nil {
		t.Error("it passes")
	}
}
