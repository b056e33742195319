package shrink

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/sim/scenario"
	"github.com/novastream/nova/sim/script"
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

// TestShrinkARace shrinks a failure that comes about with two acts, and with them on one throw of the dice in four only. What is
// left out changes all that follows, so that without another throw not one of the 40 acts could be missed.
func TestShrinkARace(t *testing.T) {
	needed := []int{7, 31}
	run := func(o scenario.Options) (scenario.Report, error) {
		r := scenario.Report{Options: o, Simulated: time.Minute}
		r.Options.Stars, r.Options.Zones, r.Options.Streams = 1, 1, 1
		fails := o.Script == nil
		if o.Script == nil {
			for n := range 40 {
				o.Acts(script.Act{At: time.Duration(n), Line: "client-1 produce", N: n})
			}
		} else {
			has := func(n int) bool {
				return slices.ContainsFunc(o.Script.Acts, func(a script.Act) bool { return a.N == n })
			}
			r.Asked = len(o.Script.Acts)
			lucky := xxh3.HashStringSeed(fmt.Sprint(r.Asked), o.Script.Throw)%4 == 0 || o.Script.Throw == 0 && r.Asked == 40
			fails = has(needed[0]) && has(needed[1]) && lucky
		}
		if fails {
			r.Violations = []scenario.Violation{{Check: "race"}}
		}
		return r, nil
	}
	r, err := Shrink(Config{Options: scenario.Options{Duration: time.Second}, Run: run})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete || r.To.Operations != len(needed) || r.Options.Script.Throw == 0 {
		t.Errorf("%d runs: from %+v to %+v, throw %d", r.Runs, r.From, r.To, r.Options.Script.Throw)
	}
	if again, _ := run(r.Options); len(again.Violations) == 0 {
		t.Error("what was kept does not fail again")
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
