package scenario

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/sim/faults"
	"github.com/novastream/nova/sim/script"
)

// TestScriptOfAll performs the script of all acts of a run: it takes the course that the run took by chance.
func TestScriptOfAll(t *testing.T) {
	every := faults.Survivable()
	for _, o := range []Options{{Seed: 3}, {Seed: 4}, {Seed: 5, Faults: every}, {Seed: 6, Faults: []string{}}} {
		all := script.Script{Choices: script.Everything()}
		o.Duration = time.Minute
		o.Acts = func(a script.Act) { all.Acts = append(all.Acts, a) }
		chance := mustRun(t, o)
		slices.SortStableFunc(all.Acts, script.Act.Compare)
		o.Acts, o.Script = nil, &all
		scripted := mustRun(t, o)
		if scripted.TraceHash != chance.TraceHash {
			t.Errorf("seed %d: trace hash %x by chance, %x by its script of %d acts", o.Seed, chance.TraceHash, scripted.TraceHash, len(all.Acts))
		}
	}
}

// TestScriptOfNothing lets nothing happen: no fault strikes and no client asks, and the streams that are there are checked.
func TestScriptOfNothing(t *testing.T) {
	r := mustRun(t, Options{Seed: 3, Duration: time.Minute, Script: &script.Script{Streams: []int{2}}})
	clean(t, r)
	if r.Asked != 0 || len(r.Faults) != 0 || r.Witness.Streams != 1 {
		t.Errorf("%d operations, faults %v, %d streams", r.Asked, r.Faults, r.Witness.Streams)
	}
}

// TestThrow throws the dice that no act owns anew: the same acts come up, and take other times. Each throw is a course of its
// own, which is taken again.
func TestThrow(t *testing.T) {
	all := script.Script{}
	first := Options{Seed: 3, Duration: time.Minute, Acts: func(a script.Act) { all.Acts = append(all.Acts, a) }}
	mustRun(t, first)
	slices.SortStableFunc(all.Acts, script.Act.Compare)
	known := map[script.Act]bool{}
	for _, a := range all.Acts {
		known[named(a)] = true
	}
	hashes := map[uint64]bool{}
	for _, throw := range []uint64{0, 1, 2, 2} {
		o, c, acts := first, all, 0
		c.Throw, o.Script = throw, &c
		o.Acts = func(a script.Act) {
			if acts++; !known[named(a)] && !strings.HasPrefix(a.Line, script.HitPrefix) {
				t.Errorf("throw %d: %v is not of the script", throw, a)
			}
		}
		hashes[mustRun(t, o).TraceHash] = true
		if acts < len(all.Acts)/2 {
			t.Errorf("throw %d: %d acts of %d", throw, acts, len(all.Acts))
		}
	}
	if len(hashes) != 3 {
		t.Errorf("%d courses of 3 throws", len(hashes))
	}
}

// named is the name of an act alone.
func named(a script.Act) script.Act { return script.Act{Line: a.Line, N: a.N, Sub: a.Sub} }
