package scenario

import (
	"errors"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/faults"
)

// mustRun runs Options that are known to be right.
func mustRun(t *testing.T, o Options) Report {
	t.Helper()
	r, err := Run(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// clean fails the test on anything but a pass.
func clean(t *testing.T, r Report) {
	t.Helper()
	for _, v := range r.Violations {
		t.Errorf("seed %d, faults %v: %s: %s\n%s", r.Options.Seed, r.FaultKinds, v.Check, v.Sentence, v.Detail)
	}
	for _, u := range r.Undecided {
		t.Errorf("seed %d: undecided: %s", r.Options.Seed, u)
	}
}

// TestCalm runs without faults: everything that is asked is answered, and every check has something to look at.
func TestCalm(t *testing.T) {
	r := mustRun(t, Options{Seed: 1, Faults: []string{}, Duration: 2 * time.Minute})
	clean(t, r)
	if len(r.Faults) != 0 {
		t.Errorf("faults fired: %v", r.Faults)
	}
	for _, name := range []string{"append ok", "open ok", "tail ok", "read ok", "append failed match-failed", "append failed fenced"} {
		if times(r.Ops, name) == 0 {
			t.Errorf("no %q among %v", name, r.Ops)
		}
	}
	for _, name := range []string{"ack-durable", "refs-truthful", "stream-epoch", "checkpoint-covered", "mark-covers", "contents", "live", "quiet"} {
		if times(r.Looks, name) == 0 {
			t.Errorf("check %s had nothing to look at: %v", name, r.Looks)
		}
	}
	if r.Witness.Appends == 0 || r.Porcupine.Ops() == 0 || r.Witness.Linearizable == 0 {
		t.Errorf("checked %v; %v", r.Witness, r.Porcupine)
	}
}

func times(counts []sim.Count, name string) uint64 {
	for _, c := range counts {
		if c.Name == name {
			return c.Times
		}
	}
	return 0
}

// TestSwarm runs a few seeds with a random subset of faults each, and one with all of them.
func TestSwarm(t *testing.T) {
	for seed := range uint64(4) {
		clean(t, mustRun(t, Options{Seed: 100 + seed, Duration: 2 * time.Minute}))
	}
	clean(t, mustRun(t, Options{Seed: 7, Faults: faults.Survivable(), Duration: 2 * time.Minute}))
}

// TestDeterminism runs equal Options on one and on two processors and expects equal reports.
func TestDeterminism(t *testing.T) {
	o := Options{Seed: 12, Duration: time.Minute}
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	one := mustRun(t, o)
	runtime.GOMAXPROCS(2)
	log := &history.Log{}
	o.History, o.Trace = log, sim.NewRing(100) // who watches changes nothing
	two := mustRun(t, o)
	one.Wall, two.Wall = 0, 0
	two.Options.History, two.Options.Trace = nil, nil
	if !reflect.DeepEqual(one, two) {
		t.Errorf("reports differ:\n%+v\n%+v", one, two)
	}
	if other := mustRun(t, Options{Seed: 13, Duration: time.Minute}); other.TraceHash == one.TraceHash {
		t.Error("two seeds have one trace hash")
	}
	if log.Len() == 0 {
		t.Error("the history is empty")
	}
}

// TestOptions refuses what cannot be run.
func TestOptions(t *testing.T) {
	var scenario *UnknownError
	if _, err := Run(Options{Scenario: "none"}); !errors.As(err, &scenario) {
		t.Errorf("unknown scenario: %v", err)
	}
	var fault *faults.UnknownError
	if _, err := Run(Options{Faults: []string{"none"}}); !errors.As(err, &fault) {
		t.Errorf("unknown fault: %v", err)
	}
	for _, o := range []Options{{Zones: 2}, {Stars: -1}, {Clients: -1}, {Streams: -1}, {Duration: -1}} {
		if _, err := Run(o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}
