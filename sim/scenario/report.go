package scenario

import (
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/checks"
)

// Violation is one broken promise of the product.
type Violation struct {
	Check    string // the check that found it: "failure", "stuck", "live", "contents", "quiet", the name of an invariant, or "history:" and its rule
	Sentence string // one plain sentence
	Detail   string // the stack of a panic, or who waits for what; often empty
}

// Report is what came of a run. All but Wall is a pure function of the Options.
type Report struct {
	Options    Options // with the zero values filled in
	TraceHash  uint64
	Steps      uint64        // of the scheduler
	Choices    uint64        // of the scheduler between tasks
	Strategy   string        // by which it chose
	Simulated  time.Duration // virtual time of the whole run
	Wall       time.Duration // what it took
	FaultKinds []string      // the faults that were switched on, by name

	Core         string          // what was healed first, and served while the rest stayed broken; empty: all was healed at once
	Faults       []sim.Count     // firings by name
	StepsCrossed []sim.Count     // named steps of the core
	Sometimes    []sim.Count     // named situations, those not reached with 0
	Spreads      []Spread        // how evenly streams were led, in the scenario that asks
	Changes      []checks.Change // the stars that left and joined, in that scenario
	Asked        int             // operations that clients asked for, besides those of the checks
	Ops          []sim.Count     // operations as "append ok", "tail failed fenced"

	Witness   history.Counts // what the witness check looked at
	Porcupine history.Counts // what the porcupine check looked at
	Looks     []sim.Count    // what the invariants looked at, by invariant

	Violations []Violation // in the order in which they were found
	Undecided  []string    // checks that could not be brought to an end
}

// Passed says that every check came to its end and found nothing.
func (r Report) Passed() bool { return len(r.Violations) == 0 && len(r.Undecided) == 0 }
