package sim

import (
	"context"
	"testing"
	"time"
)

// turns has tasks of three processes take turns at one instant and tells who had them, under a strategy.
func turns(t *testing.T, seed uint64, s Strategy) (order []string, hash uint64) {
	t.Helper()
	w := New(Config{Seed: seed, Strategy: s})
	defer w.Close()
	for _, process := range []string{"a", "b", "c"} {
		p := w.Process(process)
		for _, task := range []string{"1", "2"} {
			p.Go(task, func(ctx context.Context) {
				for range 5 {
					order = append(order, process+task)
					_ = p.Sleep(ctx, 0)
				}
			})
		}
	}
	if err := w.RunFor(time.Second); err != nil {
		t.Fatal(err)
	}
	if len(order) != 30 {
		t.Fatalf("%s: %d turns of 30", s, len(order))
	}
	return order, w.Hash()
}

// last counts the seeds on which all turns of one task, or of one process, come behind all others.
func last(t *testing.T, s Strategy, name func(turn string) string, of int) (seeds int) {
	t.Helper()
	for seed := range uint64(100) {
		order, _ := turns(t, seed, s)
		end, behind := name(order[len(order)-1]), 0
		for _, turn := range order[len(order)-of:] {
			if name(turn) == end {
				behind++
			}
		}
		if behind == of {
			seeds++
		}
	}
	return seeds
}

// TestStrategies shows what each strategy makes likely that equal chances do not.
func TestStrategies(t *testing.T) {
	task := func(turn string) string { return turn }
	process := func(turn string) string { return turn[:1] }
	if n := last(t, Uniform, task, 4); n > 20 {
		t.Errorf("by equal chances a task comes last on %d seeds of 100", n)
	}
	for s, c := range map[Strategy]struct {
		name func(string) string
		of   int
	}{Priorities: {task, 4}, StarveTask: {task, 4}, StarveProcess: {process, 8}} {
		if n := last(t, s, c.name, c.of); n < 50 {
			t.Errorf("%v has somebody come last on %d seeds of 100 only", s, n)
		}
	}
}

// TestStrategiesAreDeterministic: a strategy is part of what a run is a function of.
func TestStrategiesAreDeterministic(t *testing.T) {
	hashes := map[uint64]Strategy{}
	for _, s := range Strategies() {
		_, one := turns(t, 7, s)
		_, other := turns(t, 7, s)
		if one != other {
			t.Errorf("%v: one seed, two runs", s)
		}
		if before, taken := hashes[one]; taken {
			t.Errorf("%v and %v choose alike", s, before)
		}
		hashes[one] = s
		if parsed, err := ParseStrategy(s.String()); parsed != s || err != nil {
			t.Errorf("%v is read as %v, %v", s, parsed, err)
		}
	}
	if _, err := ParseStrategy("none"); err == nil {
		t.Error("an unknown strategy is taken")
	}
}
