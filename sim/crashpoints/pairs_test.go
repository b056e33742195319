package crashpoints

import (
	"slices"
	"testing"

	"github.com/novastream/nova/sim"
)

// TestDeathAfterIsDeathBeforeTheNext shows when two worlds are one: the star that marks its stores does one thing after the
// other, so it does not matter whether it dies behind a mark or in front of the next.
func TestDeathAfterIsDeathBeforeTheNext(t *testing.T) {
	boot, _ := Find("boot")
	story, err := boot.Tell(Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(story.Effects, func(e Effect) bool { return e.Step == "mark.store" })
	state := func(hits ...Hit) uint64 {
		told, err := boot.Tell(Options{Seed: 1}, hits...)
		if err != nil {
			t.Fatal(err)
		}
		return told.State
	}
	after, before := state(Hit{at, sim.After}), state(Hit{at + 1, sim.Before})
	if after == 0 || after != before {
		t.Errorf("death after effect %d leaves the world %x, death before the next %x", at, after, before)
	}
	for _, other := range []Hit{{at, sim.Before}, {at, sim.Late}, {at, sim.Lost}, {at, sim.Refused}, {at + 1, sim.After}, {at + 1, sim.Late}} {
		if state(other) == after {
			t.Errorf("%v of effect %d leaves the same world as death after effect %d", other.Fate, other.Index, at)
		}
	}
}

// TestPruningLosesNothing tells pairs that are pruned to their end all the same, and holds what they come to against the telling
// that made them superfluous: the same stars cross the same steps, and all pass.
func TestPruningLosesNothing(t *testing.T) {
	for _, name := range []string{"boot", "delete-vacant", "headless"} {
		s, _ := Find(name)
		story, err := s.Tell(Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		firsts, compared := map[uint64][]Effect{}, 0 // what came behind the hit, by how it left the world
		for i := range story.Effects {
			for _, fate := range sim.Fates() {
				told, err := s.Tell(Options{Seed: 1}, Hit{i, fate})
				if err != nil {
					t.Fatalf("%s: %v %d: %v", name, fate, i, err)
				}
				if told.State == 0 {
					continue
				}
				rest := told.Effects[i+1:]
				if first, seen := firsts[told.State]; seen {
					compared++
					sameRest(t, name, Hit{i, fate}, first, rest)
				}
				firsts[told.State] = rest
			}
		}
		if compared == 0 {
			t.Errorf("%s: no two of its tellings meet", name)
		}
	}
}

// sameRest compares the steps that are crossed behind the hit of two tellings, but for those that go on when
// the watch ends.
func sameRest(t *testing.T, name string, hit Hit, one, other []Effect) {
	t.Helper()
	steps := func(rest []Effect) (all []string) {
		for _, e := range rest {
			if !slices.Contains([]string{"register.stats", "register.liveness", "sweep.delete", "settle.done"}, e.Step) {
				all = append(all, e.Process+" "+e.Step)
			}
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	if before, now := steps(one), steps(other); !slices.Equal(before, now) {
		t.Errorf("%s: behind %v of effect %d come the steps\n%v, and in the telling that left the same world\n%v", name, hit.Fate, hit.Index, now, before)
	}
}

// TestPairsReachTheRecovery shows that second failures strike the star that takes over, and the one that starts again.
func TestPairsReachTheRecovery(t *testing.T) {
	lead, _ := Find("lead")
	told, err := lead.Tell(Options{Seed: 1}, Hit{5, sim.After})
	if err != nil {
		t.Fatal(err)
	}
	dead := told.Effects[5].Process
	if !slices.ContainsFunc(told.Effects[6:], func(e Effect) bool { return e.Process != dead && e.Step == "fence.cut" }) {
		t.Errorf("nobody is watched who fences what %s left: %v", dead, told.Effects[6:])
	}
}

// TestSampleOfPairs: a sample takes pairs of every fate.
func TestSampleOfPairs(t *testing.T) {
	s, _ := Find("delete-vacant")
	r := Enumerate(s, Options{Seed: 1}, Plan{Every: 20})
	single := len(r.Told.Effects) // tellings of one failure, in each fate
	var seconds [6]int
	for _, row := range r.Rows {
		for _, fate := range sim.Fates() {
			seconds[fate] += row.Times[fate]
		}
	}
	for _, fate := range sim.Fates() {
		if seconds[fate] <= single {
			t.Errorf("%v is in %d of %d tellings, %d of which are of one failure", fate, seconds[fate], r.Tellings, single)
		}
	}
	if r.Tried+r.Pruned >= r.Pairs/10 || r.Tried+r.Pruned < r.Pairs/40 {
		t.Errorf("of %d pairs, %d were tried and %d pruned", r.Pairs, r.Tried, r.Pruned)
	}
}
