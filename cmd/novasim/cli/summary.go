package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/novastream/nova/sim/faults"
	"github.com/novastream/nova/sim/scenario"
)

// summary is what came of many runs.
type summary struct {
	speed      speed
	verdicts   map[verdict]int
	bad        []string // the seeds that did not pass
	operations int      // that the witness check looked at
	searched   int      // that the porcupine check looked at
	on         map[string]bool
	faults     map[string]uint64
	sometimes  map[string]uint64
	crossed    map[string]uint64
}

func newSummary() *summary {
	return &summary{
		verdicts: map[verdict]int{}, on: map[string]bool{},
		faults: map[string]uint64{}, sometimes: map[string]uint64{}, crossed: map[string]uint64{},
	}
}

func (s *summary) add(v *view, r scenario.Report) {
	s.speed.seeds++
	s.speed.steps += r.Steps
	s.speed.simulated += r.Simulated
	s.verdicts[v.Verdict]++
	if v.Verdict != passed {
		s.bad = append(s.bad, fmt.Sprint(v.Seed))
	}
	s.operations += v.Witness.Operations
	s.searched += v.Porcupine.Operations
	for _, name := range v.FaultsOn {
		s.on[name] = true
	}
	addCounts(s.faults, v.Faults)
	addCounts(s.sometimes, v.Sometimes)
	addCounts(s.crossed, v.Crossed)
}

func addCounts(sum, counts map[string]uint64) {
	for name, times := range counts {
		sum[name] += times
	}
}

func (s *summary) verdict() error {
	switch {
	case s.verdicts[failed] > 0:
		return errFailed
	case s.verdicts[undecided] > 0, s.speed.seeds == 0: // where nothing ran, nothing was shown
		return errUndecided
	default:
		return nil
	}
}

func (s *summary) text(out io.Writer) {
	fmt.Fprintf(out, "\n%s: %d passed, %d failed, %d undecided\n",
		seedsText(s.speed.seeds), s.verdicts[passed], s.verdicts[failed], s.verdicts[undecided])
	if len(s.bad) > 0 {
		section(out, "not passed", s.bad, "")
	}
	section(out, "operations", []string{fmt.Sprint(s.operations, " by the witness check"), fmt.Sprint(s.searched, " by porcupine")}, "")
	section(out, "faults", s.strikes(), "none")
	situations(out, s.sometimes)
	section(out, "steps", s.steps(), "none")
}

// strikes tells how often each kind of fault struck that was on in any run.
func (s *summary) strikes() []string {
	var items []string
	for _, kind := range faults.All() {
		if s.on[kind.Name] {
			items = append(items, fmt.Sprint(kind.Name, " ", struck(kind, s.faults)))
		}
	}
	return items
}

// steps tells how many of the named steps were crossed, and which were not.
func (s *summary) steps() []string {
	var missed []string
	for _, name := range steps() {
		if s.crossed[name] == 0 {
			missed = append(missed, name)
		}
	}
	items := []string{fmt.Sprintf("%d of %d crossed", len(steps())-len(missed), len(steps()))}
	if len(missed) > 0 {
		missed[0] = "not crossed: " + missed[0]
	}
	return append(items, missed...)
}

// faultsOn names the faults of one run.
func faultsOn(v *view) string {
	if len(v.FaultsOn) == 0 {
		return "no faults"
	}
	return strings.Join(v.FaultsOn, " ")
}
