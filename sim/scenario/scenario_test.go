package scenario

import (
	"os"
	"strconv"
	"testing"
	"time"
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
		if seed == from {
			t.Log(r.Witness, r.Porcupine)
			t.Log(r.Ops)
			t.Log(r.Looks)
			t.Log(r.Sometimes)
		}
	}
	_ = time.Second
}
