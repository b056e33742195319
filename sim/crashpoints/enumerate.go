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
	Pairs    int // that there are: a second failure behind a first
	Tried    int // pairs that were told to their end
	Pruned   int // pairs that were not, for what comes of them was told before
	Failures []Failure
}

// Plan says how much is enumerated.
type Plan struct {
	// Every is how many pairs there are for one that is tried: 1 is all of them, 0 none.
	Every int
	// Whole tells every pair to its end, whether or not the world was seen before as the pair leaves it.
	Whole bool
	// Stop is asked after each telling; nil: go on to the end.
	Stop func(Report) bool
}

// Enumerate tells the story for every effect and every fate, and then for pairs: a second effect that goes wrong behind the
// first, be it of the same process or of one that recovers from what the first left.
func Enumerate(s Scenario, o Options, plan Plan) Report {
	e := &enumeration{Report: Report{Scenario: s}, options: o, plan: plan, firsts: map[uint64]bool{}, pairs: map[uint64]bool{}}
	if e.Told = e.try(nil); len(e.Failures) > 0 {
		return e.Report
	}
	type first struct {
		hit   Hit
		told  Told
		again bool // its pairs are those of an earlier first
	}
	var firsts []first
	for i := range e.Told.Effects {
		for _, fate := range sim.Fates() {
			hit := Hit{i, fate}
			told := e.try(nil, hit)
			firsts = append(firsts, first{hit, told, e.repeated(e.firsts, told.State)})
		}
	}
	if plan.Every > 0 {
		for _, f := range firsts {
			e.behind(f.hit, f.told, f.again)
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
	firsts  map[uint64]bool // how the world was behind a first failure
	pairs   map[uint64]bool // and behind a second
}

// repeated says whether a state was among the seen, and adds it. One that cannot be told never was.
func (e *enumeration) repeated(seen map[uint64]bool, state uint64) bool {
	if state == 0 || e.plan.Whole {
		return false
	}
	before := seen[state]
	seen[state] = true
	return before
}

// behind tries second effects behind a first one that went wrong.
func (e *enumeration) behind(first Hit, told Told, again bool) {
	seen := func(state uint64) bool { return e.repeated(e.pairs, state) }
	for j := first.Index + 1; j < len(told.Effects); j++ {
		for _, fate := range sim.Fates() {
			e.Pairs++
			switch {
			case !drawn(e.Pairs, e.plan.Every):
			case again:
				e.Pruned++
			default:
				e.try(seen, first, Hit{j, fate})
			}
		}
	}
}

// drawn says whether the n-th pair is among each so many, in no order that fits that of effects and fates.
func drawn(n, every int) bool { return (uint64(n)*0x9e3779b97f4a7c15>>32)%uint64(every) == 0 }

// try tells the story once and counts it.
func (e *enumeration) try(seen func(uint64) bool, hits ...Hit) Told {
	if e.stopped {
		return Told{}
	}
	told, err := e.Scenario.recall(e.options, seen, hits)
	struck := told.Struck(hits)
	if told.Seen {
		e.Pruned++
		return told
	}
	e.Tellings++
	if len(hits) == 2 {
		e.Tried++
	}
	for i, h := range hits {
		e.count(struck[i].Step, h.Fate)
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
