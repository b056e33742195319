package crashpoints

import (
	"fmt"
	"slices"

	"github.com/novastream/nova/sim"
)

// Row counts, for the effects of one step, the tellings in which one of them went wrong, by fate.
type Row struct {
	Step  string
	Times [6]int // by sim.Fate
}

// Failure is a telling that the judgement did not pass.
type Failure struct {
	Hits    []Hit
	Effects []Effect // that went wrong; empty ones where the story did not get there
	Err     error
}

func (f Failure) String() string {
	text := ""
	for i, h := range f.Hits {
		text += fmt.Sprintf("%s %d (%s); ", h.Fate, h.Index, f.Effects[i])
	}
	return text + f.Err.Error()
}

// Report is what came of enumerating one scenario.
type Report struct {
	Scenario Scenario
	Told     Told  // with nothing going wrong
	Rows     []Row // by step, in the order of the story
	Tellings int
	Failures []Failure
}

// Plan says how much is enumerated.
type Plan struct {
	// Every is the distance between the pairs that are tried: 1 is all of them, 0 none.
	Every int
	// Stop is asked after each telling; nil: go on to the end.
	Stop func(Report) bool
}

// Enumerate tells the story for every effect and every fate, and then for pairs: a second effect that goes wrong behind the
// first.
func Enumerate(s Scenario, o Options, plan Plan) Report {
	e := &enumeration{Report: Report{Scenario: s}, options: o, plan: plan}
	if e.Told = e.try(); len(e.Failures) > 0 {
		return e.Report
	}
	var firsts []Hit
	var behind []Told
	for i := range e.Told.Effects {
		for _, fate := range sim.Fates() {
			hit := Hit{i, fate}
			firsts, behind = append(firsts, hit), append(behind, e.try(hit))
		}
	}
	if plan.Every > 0 {
		for n, first := range firsts {
			e.behind(first, behind[n])
		}
	}
	return e.Report
}

// enumeration is an enumeration under way.
type enumeration struct {
	Report
	options Options
	plan    Plan
	stopped bool
	pairs   int // looked at
}

// behind tries second effects behind a first one that went wrong.
func (e *enumeration) behind(first Hit, told Told) {
	for j := first.Index + 1; j < len(told.Effects); j++ {
		for _, fate := range sim.Fates() {
			if e.pairs++; e.pairs%e.plan.Every == 0 {
				e.try(first, Hit{j, fate})
			}
		}
	}
}

// try tells the story once and counts it.
func (e *enumeration) try(hits ...Hit) Told {
	if e.stopped {
		return Told{}
	}
	told, err := e.Scenario.Tell(e.options, hits...)
	e.Tellings++
	struck := make([]Effect, len(hits))
	for i, h := range hits {
		if h.Index < len(told.Effects) {
			struck[i] = told.Effects[h.Index]
			e.count(struck[i].Step, h.Fate)
		}
	}
	if err != nil {
		e.Failures = append(e.Failures, Failure{hits, struck, err})
	}
	e.stopped = e.plan.Stop != nil && e.plan.Stop(e.Report)
	return told
}

func (e *enumeration) count(step string, fate sim.Fate) {
	i := slices.IndexFunc(e.Rows, func(r Row) bool { return r.Step == step })
	if i < 0 {
		i = len(e.Rows)
		e.Rows = append(e.Rows, Row{Step: step})
	}
	e.Rows[i].Times[fate]++
}
