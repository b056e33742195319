package scenario

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/novastream/nova/core/planted"
)

func TestProbe(t *testing.T) {
	from, _ := strconv.ParseUint(os.Getenv("FROM"), 10, 64)
	to, _ := strconv.ParseUint(os.Getenv("TO"), 10, 64)
	for seed := from; seed <= to; seed++ {
		o := Options{Seed: seed}
		if os.Getenv("CALM") != "" {
			o.Faults = []string{}
		}
		r, err := Run(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("seed %d hash %x steps %d sim %v wall %v (%.0fx) faults %v", seed, r.TraceHash, r.Steps, r.Simulated, r.Wall, float64(r.Simulated)/float64(r.Wall), r.FaultKinds)
		for _, v := range r.Violations {
			t.Errorf("seed %d: %s: %s", seed, v.Check, v.Sentence)
		}
		for _, u := range r.Undecided {
			t.Logf("undecided %s", u)
		}
		if os.Getenv("SOME") != "" {
			t.Log(r.Sometimes)
		}
		if seed == from {
			t.Log(r.Witness, r.Porcupine)
			t.Log(r.Ops)
			t.Log(r.Looks)
			t.Log(r.Sometimes)
		}
	}
	_ = time.Second
}

func TestHunt(t *testing.T) {
	to, _ := strconv.ParseUint(os.Getenv("TO"), 10, 64)
	minutes, _ := strconv.Atoi(os.Getenv("MIN"))
	for _, bug := range planted.All() {
		if only := os.Getenv("BUG"); only != "" && only != bug.String() {
			continue
		}
		found := false
		for seed := uint64(1); seed <= to; seed++ {
			r, err := Run(Options{Seed: seed, Bugs: planted.Set(0).With(bug), Duration: time.Duration(minutes) * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Violations) > 0 {
				if sound, err := Run(Options{Seed: seed, Duration: time.Duration(minutes) * time.Minute}); err != nil || len(sound.Violations) > 0 {
					t.Logf("seed %d is no use: %v", seed, sound.Violations)
					continue
				}
				s := r.Violations[0].Sentence
				t.Logf("%-24s seed %d: %s: %.300s (and %d)", bug, seed, r.Violations[0].Check, s, len(r.Violations)-1)
				found = true
				break
			}
		}
		if !found {
			t.Logf("%-24s not found in %d seeds", bug, to)
		}
	}
}
