package sim

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/novastream/nova/sim/script"
)

// TestLine announces acts without a script and with one: those in it happen, when they are due, and have chances of their own.
func TestLine(t *testing.T) {
	var told []script.Act
	w := New(Config{Seed: 1, Acts: func(a script.Act) { told = append(told, a) }})
	defer w.Close()
	line := w.Line("client-1 produce")
	first, second := line.Next(), line.Next()
	sub := second.Next()
	if !first.On() || !second.On() || !sub.On() || second.Wait() != 0 {
		t.Error("without a script something does not happen")
	}
	want := []script.Act{{Line: "client-1 produce", N: 1}, {Line: "client-1 produce", N: 2}, {Line: "client-1 produce", N: 2, Sub: 1}}
	if !slices.Equal(told, want) {
		t.Errorf("told %v", told)
	}

	want[1].At, want[2].At = time.Minute, time.Hour
	scripted := New(Config{Seed: 1, Script: &script.Script{Acts: want[1:]}})
	defer scripted.Close()
	line = scripted.Line("client-1 produce")
	left, due := line.Next(), line.Next()
	belonging, more := due.Next(), due.Next()
	if left.On() || !due.On() || due.Wait() != time.Minute || !belonging.On() || belonging.Wait() != time.Hour || more.On() {
		t.Error("what happens is not what the script has")
	}
	if due.Rand().Uint64() != second.Rand().Uint64() || due.Rand().Uint64() == left.Rand().Uint64() {
		t.Error("an act's chance hangs on other acts")
	}
}

// TestHit has a fault strike by chance, and then again by its script: at the first thing that passes from its time on.
func TestHit(t *testing.T) {
	var told []script.Act
	w := New(Config{Seed: 1, Acts: func(a script.Act) { told = append(told, a) }})
	defer w.Close()
	rng := w.Rand("test")
	for range 100 {
		w.HitBy("blob.late", "zone-a", 5*Percent, rng, time.Second)
		_ = w.RunFor(time.Second)
	}
	if len(told) < 2 || len(told) > 15 || told[0].Arg == 0 {
		t.Fatalf("told %v", told)
	}
	last := told[len(told)-1]
	last.At -= time.Second / 2
	again := New(Config{Seed: 1, Script: &script.Script{Acts: []script.Act{last}}})
	defer again.Close()
	struck := 0
	for range 100 {
		hit, by := again.HitBy("blob.late", "zone-a", Never, again.Rand("test"), time.Second)
		if elsewhere := again.Hit("blob.late", "zone-b", Always, again.Rand("test")); elsewhere {
			t.Error("a place was hit that is not in the script")
		}
		if hit {
			struck++
			if again.Now() != last.At+time.Second/2 || int64(by) != last.Arg {
				t.Errorf("hit at %v by %v, want %v", again.Now(), by, last)
			}
		}
		_ = again.RunFor(time.Second)
	}
	if struck != 1 {
		t.Errorf("struck %d times", struck)
	}
}

// TestInTurn has tasks go first come first served where the script leaves no choice to chance.
func TestInTurn(t *testing.T) {
	order := func(s *script.Script) (order []int) {
		w := New(Config{Seed: 3, Script: s})
		defer w.Close()
		for i := range 8 {
			w.Driver().Go("task", func(_ context.Context) { order = append(order, i) })
		}
		if err := w.RunFor(time.Second); err != nil {
			t.Fatal(err)
		}
		return order
	}
	if got := order(&script.Script{}); !slices.IsSorted(got) {
		t.Errorf("in turn: %v", got)
	}
	chance := order(nil)
	if slices.IsSorted(chance) || !slices.Equal(chance, order(&script.Script{Choices: script.Everything()})) {
		t.Errorf("by chance: %v", chance)
	}
}
