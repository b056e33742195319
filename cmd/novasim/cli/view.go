package cli

import (
	"fmt"
	"slices"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/faults"
	"github.com/novastream/nova/sim/scenario"
)

// view is a report as it is written: nothing in it depends on the wall clock.
type view struct {
	Seed       uint64            `json:"seed"`
	Scenario   string            `json:"scenario"`
	Stars      int               `json:"stars"`
	Zones      int               `json:"zones"`
	Clients    int               `json:"clients"`
	Streams    int               `json:"streams"`
	Duration   string            `json:"duration"`
	Verdict    verdict           `json:"verdict"`
	TraceHash  string            `json:"trace_hash"`
	Steps      uint64            `json:"steps"`
	Simulated  string            `json:"simulated"`
	Strategy   string            `json:"strategy"` // of the scheduler
	FaultsOn   []string          `json:"faults_on"`
	Core       string            `json:"core,omitempty"` // what was healed first, on some seeds
	Faults     map[string]uint64 `json:"faults"`
	Placement  *placement        `json:"placement,omitempty"` // of a scenario that asks
	Operations map[string]uint64 `json:"operations"`
	Witness    checked           `json:"witness"`
	Porcupine  checked           `json:"porcupine"`
	Invariants map[string]uint64 `json:"invariants"`
	Crossed    map[string]uint64 `json:"steps_crossed"`
	Sometimes  map[string]uint64 `json:"sometimes"`
	Violations []violation       `json:"violations,omitempty"`
	Undecided  []string          `json:"undecided,omitempty"`
	Repeat     string            `json:"repeat,omitempty"`   // after a failure: the command that runs it again
	Artifact   string            `json:"artifact,omitempty"` // after a failure: the directory that holds what was kept

	Same *bool `json:"same_course,omitempty"` // of a kept failure: it went as in its file

	Explanation string `json:"explanation,omitempty"` // with -explain: what led to the first violation
	Page        string `json:"page,omitempty"`        // with -html: the file
}

type violation struct {
	Check    string `json:"check"`
	Sentence string `json:"sentence"`
	Detail   string `json:"detail,omitempty"`
}

// checked is what a check of the history looked at.
type checked struct {
	Operations int    `json:"operations"`
	Text       string `json:"text"`
}

func viewOf(r scenario.Report) view {
	o := r.Options
	v := view{
		Seed: o.Seed, Scenario: o.Scenario, Stars: o.Stars, Zones: o.Zones, Clients: o.Clients, Streams: o.Streams,
		Duration: o.Duration.String(), Verdict: verdictOf(r), TraceHash: hashText(r.TraceHash), Steps: r.Steps,
		Simulated: r.Simulated.String(), FaultsOn: append([]string{}, r.FaultKinds...), Core: r.Core, Strategy: r.Strategy,
		Faults: asMap(r.Faults), Operations: asMap(r.Ops), Invariants: asMap(r.Looks), Crossed: asMap(r.StepsCrossed),
		Sometimes: asMap(r.Sometimes), Undecided: r.Undecided,
		Witness: checkedOf(r.Witness), Porcupine: checkedOf(r.Porcupine),
	}
	v.Placement = placementOf(r)
	for _, found := range r.Violations {
		v.Violations = append(v.Violations, violation(found))
	}
	return v
}

func hashText(hash uint64) string { return fmt.Sprintf("%016x", hash) }

func checkedOf(c history.Counts) checked { return checked{c.Ops(), c.String()} }

func asMap(counts []sim.Count) map[string]uint64 {
	all := map[string]uint64{}
	for _, c := range counts {
		all[c.Name] += c.Times
	}
	return all
}

// strikes tells for each kind of fault that was on how often it struck.
func (v *view) strikes() []string {
	var items []string
	for _, kind := range faults.All() {
		if slices.Contains(v.FaultsOn, kind.Name) {
			items = append(items, fmt.Sprint(kind.Name, " ", struck(kind, v.Faults)))
		}
	}
	return items
}

// struck is how often a kind of fault struck: by the counter of its name, else by all that tell of it.
func struck(kind faults.Info, counts map[string]uint64) (times uint64) {
	if slices.Contains(kind.Counts, kind.Name) {
		return counts[kind.Name]
	}
	for _, name := range kind.Counts {
		times += counts[name]
	}
	return times
}
