package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/crashpoints"
)

// crashView is what came of one scenario, as it is written: nothing in it depends on the wall clock.
type crashView struct {
	Scenario string         `json:"scenario"`
	Doc      string         `json:"doc"`
	Seed     uint64         `json:"seed"`
	Verdict  verdict        `json:"verdict"`
	Effects  int            `json:"effects"`
	Tellings int            `json:"tellings"`
	Pairs    int            `json:"pairs"`         // that there are
	Tried    int            `json:"pairs_tried"`   // told to their end
	Pruned   int            `json:"pairs_pruned"`  // of which it was known by then what comes of them
	Rows     []crashRow     `json:"steps"`         // tellings by the step of what went wrong
	Crossed  []string       `json:"steps_crossed"` // by the story, while it was watched
	Failures []crashFailure `json:"failures,omitempty"`
}

// crashRow counts the tellings in which an effect of a step went wrong, by how it did.
type crashRow struct {
	Step  string         `json:"step"`
	Fates map[string]int `json:"fates"`
}

// crashFailure is a telling that was not passed.
type crashFailure struct {
	Hits     string `json:"hits"` // as -hits takes them
	Sentence string `json:"sentence"`
	Detail   string `json:"detail,omitempty"`
	Repeat   string `json:"repeat"`
	Artifact string `json:"artifact,omitempty"`
}

func (c *crashRun) viewOf(r crashpoints.Report) crashView {
	v := crashView{
		Scenario: r.Scenario.Name, Doc: r.Scenario.Doc, Seed: c.options.Seed, Verdict: passed, Effects: len(r.Told.Effects),
		Tellings: r.Tellings, Pairs: r.Pairs, Tried: r.Tried, Pruned: r.Pruned, Crossed: append([]string{}, r.Told.Steps...),
	}
	slices.Sort(v.Crossed)
	for _, row := range r.Rows {
		fates := map[string]int{}
		for _, fate := range sim.Fates() {
			fates[fate.String()] = row.Times[fate]
		}
		v.Rows = append(v.Rows, crashRow{row.Step, fates})
	}
	for _, f := range r.Failures {
		v.Verdict = failed
		v.Failures = append(v.Failures, c.failureOf(r.Scenario.Name, f))
	}
	return v
}

// failureOf tells a failure in one sentence.
func (c *crashRun) failureOf(scenario string, f crashpoints.Failure) crashFailure {
	var parts []string
	for i, h := range f.Hits {
		parts = append(parts, happened(h, f.Effects[i]))
	}
	when := "with nothing going wrong"
	if len(parts) > 0 {
		when = strings.Join(parts, ", then ")
	}
	why, detail, _ := strings.Cut(strings.TrimSpace(f.Err.Error()), "\n")
	if first, rest, _ := strings.Cut(detail, "\n"); strings.HasSuffix(why, "wrong") { // a list of what is
		why, detail = strings.TrimSpace(first), rest
	}
	return crashFailure{
		Hits: hitsText(f.Hits), Sentence: when + ": " + why, Detail: detail, Repeat: c.repeat(scenario, f.Hits),
	}
}

// happened says how an effect went wrong.
func happened(h crashpoints.Hit, e crashpoints.Effect) string {
	what := fmt.Sprintf("effect %d", h.Index)
	if e != (crashpoints.Effect{}) {
		what = fmt.Sprintf("%s of %s by %s", e.Kind, e.Target, e.Process)
	}
	if e.Step != "" {
		what += ", step " + e.Step
	}
	switch h.Fate {
	case sim.Before:
		return "death before " + what
	case sim.After:
		return "death after " + what
	case sim.Late:
		return "death, and late " + what
	case sim.Lost:
		return "no answer to " + what
	default:
		return "refused without an answer: " + what
	}
}

// text tells one scenario to people.
func (v *crashView) text(out io.Writer) {
	fmt.Fprintf(out, "%s, seed %d: %s\n", v.Scenario, v.Seed, v.Doc)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	header := "  "
	for _, fate := range sim.Fates() {
		header += fate.String() + "\t"
	}
	fmt.Fprintln(table, header+" ")
	for _, row := range v.Rows {
		line := "  "
		for _, fate := range sim.Fates() {
			line += fmt.Sprint(row.Fates[fate.String()]) + "\t"
		}
		step := row.Step
		if step == "" {
			step = "before the first step"
		}
		fmt.Fprintln(table, line+"  "+step)
	}
	_ = table.Flush() // a pipe that broke is noticed by the next command
	fmt.Fprintf(out, "  %d effects, %d tellings, %s\n", v.Effects, v.Tellings, v.Verdict)
	if v.Pairs > 0 {
		fmt.Fprintf(out, "  %d pairs: %d told, %d pruned\n", v.Pairs, v.Tried, v.Pruned)
	}
	for _, f := range v.Failures {
		f.text(out)
	}
	fmt.Fprintln(out)
}

func (f *crashFailure) text(out io.Writer) {
	fmt.Fprintf(out, "FAILED\n  %s\n", plain(f.Sentence))
	for line := range strings.Lines(f.Detail) {
		fmt.Fprintf(out, "      %s\n", plain(strings.TrimSpace(line)))
	}
	fmt.Fprintf(out, "  repeat:   %s\n", f.Repeat)
	if f.Artifact != "" {
		fmt.Fprintf(out, "  artifact: %s\n", f.Artifact)
	}
}
