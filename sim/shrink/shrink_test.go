package shrink

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/sim/scenario"
)

func always() bool { return true }

// TestMinimize finds the few items that a test needs, wherever they are.
func TestMinimize(t *testing.T) {
	items := make([]int, 200)
	for i := range items {
		items[i] = i
	}
	for _, needed := range [][]int{nil, {0}, {199}, {3, 77, 78, 150}, {0, 1, 2, 197, 198, 199}} {
		got := minimize(items, always, func(some []int) bool {
			return !slices.ContainsFunc(needed, func(n int) bool { return !slices.Contains(some, n) })
		})
		if !slices.Equal(got, needed) {
			t.Errorf("needed %v, got %v", needed, got)
		}
	}
}

// TestMinimizeInTime stops where more says so, with something for which the test holds.
func TestMinimizeInTime(t *testing.T) {
	left := 5
	more := func() bool { left--; return left > 0 }
	got := minimize(make([]int, 1000), more, func(some []int) bool { return len(some) > 600 })
	if len(got) <= 600 {
		t.Errorf("%d items", len(got))
	}
}

// TestLeastOf halves its way to the smallest number, or as near as it is told to.
func TestLeastOf(t *testing.T) {
	if got := leastOf(1000, 0, always, func(n int) bool { return n >= 413 }); got != 413 {
		t.Errorf("got %d", got)
	}
	if got := leastOf(1000, 100, always, func(n int) bool { return n >= 413 }); got < 413 || got > 600 {
		t.Errorf("got %d", got)
	}
}

// TestShrink shrinks a run with a planted bug to a few acts, and to the same ones each time.
func TestShrink(t *testing.T) {
	o := scenario.Options{Seed: 1, Duration: time.Minute, Bugs: planted.Of(planted.SkipReleaseFlush), Hasty: true}
	shrunk := func() Result {
		r, err := Shrink(Config{Options: o, Run: scenario.Run})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := shrunk()
	if !r.Complete || r.To.Faults > 5 || r.To.Operations > 20 || r.From.Operations <= r.To.Operations {
		t.Errorf("%+v", r)
	}
	again, err := scenario.Run(r.Options)
	if err != nil || again.TraceHash != r.Report.TraceHash || again.Violations[0].Check != r.Check {
		t.Errorf("the smallest run is %x, and %x when it is run again: %v", r.Report.TraceHash, again.TraceHash, err)
	}
	if other := shrunk(); other.Report.TraceHash != r.Report.TraceHash || other.Runs != r.Runs {
		t.Errorf("a second search took %d runs to another end", other.Runs)
	}
}

// TestPasses refuses to shrink what does not fail.
func TestPasses(t *testing.T) {
	_, err := Shrink(Config{Options: scenario.Options{Faults: []string{}, Duration: 5 * time.Second}, Run: scenario.Run})
	if !errors.Is(err, ErrPasses) {
		t.Error(err)
	}
}

// TestLost says so where the failure does not come back from the script of the acts.
func TestLost(t *testing.T) {
	var lost *LostError
	_, err := Shrink(Config{Run: func(o scenario.Options) (r scenario.Report, err error) {
		r.Options = o
		if o.Script == nil {
			r.Violations = []scenario.Violation{{Check: "shy"}}
		}
		return r, nil
	}})
	if !errors.As(err, &lost) || lost.Check != "shy" {
		t.Errorf("got %v", err)
	}
}
