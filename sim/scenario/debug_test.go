package scenario

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/faults"
)

type filter struct{ words []string }

func (f filter) Event(at time.Duration, where, what string, kv []any) {
	line := string(sim.AppendEvent(nil, at, where, what, kv))
	if slices.ContainsFunc(f.words, func(w string) bool { return strings.Contains(line, w) }) {
		fmt.Println(line)
	}
}

func TestTrace(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	r, err := Run(Options{Seed: seed, Trace: filter{strings.Split(os.Getenv("WORDS"), "|")}})
	fmt.Println(err, r.FaultKinds)
	for _, v := range r.Violations {
		fmt.Println(v)
	}
}

func TestShapes(t *testing.T) {
	from, _ := strconv.ParseUint(os.Getenv("FROM"), 10, 64)
	to, _ := strconv.ParseUint(os.Getenv("TO"), 10, 64)
	for seed := from; seed <= to; seed++ {
		rng := rand.New(rand.NewPCG(seed, 1))
		o := Options{Seed: seed, Stars: 1 + rng.IntN(7), Zones: []int{1, 3, 5}[rng.IntN(3)], Clients: 1 + rng.IntN(12), Streams: 1 + rng.IntN(20), Duration: time.Duration(1+rng.IntN(6)) * time.Minute}
		if rng.IntN(4) == 0 {
			o.Faults = []string{}
			for _, f := range faults.All() {
				o.Faults = append(o.Faults, f.Name)
			}
		}
		r, err := Run(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("hash seed %d stars %d zones %d clients %d streams %d for %v all %v: %v ops %d", seed, o.Stars, o.Zones, o.Clients, o.Streams, o.Duration, o.Faults != nil, r.Wall, r.Witness.Ops())
		for _, v := range r.Violations {
			t.Errorf("seed %d: %s: %s\n%s", seed, v.Check, v.Sentence, v.Detail)
		}
		for _, u := range r.Undecided {
			t.Errorf("seed %d: undecided %s", seed, u)
		}
	}
}
