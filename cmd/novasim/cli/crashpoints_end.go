package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/crashpoints"
)

// tell tells what came of one scenario, and keeps what its first failure leaves behind.
func (c *crashRun) tell(v *crashView) {
	if len(v.Failures) > 0 {
		c.keep(v.Scenario, &v.Failures[0])
	}
	switch *c.format {
	case text:
		v.text(c.env.Stdout)
	case jsonl:
		_ = jsonl.write(c.env.Stdout, v) // a pipe that broke is noticed by the next command
	default: // all at once, in the end
	}
}

// finish tells the sum, and gives the verdict.
func (c *crashRun) finish(views []crashView) error {
	var lost error
	if *c.format != text && *c.format != jsonl {
		lost = writeAll(*c.format, c.env.Stdout, views)
	}
	sum := crashView{}
	verdict := passed
	for _, v := range views {
		sum.Effects += v.Effects
		sum.Tellings += v.Tellings
		sum.Pairs += v.Pairs
		sum.Tried += v.Tried
		sum.Pruned += v.Pruned
		sum.Crossed = append(sum.Crossed, v.Crossed...)
		sum.Failures = append(sum.Failures, v.Failures...)
		if v.Tellings < 2 && verdict == passed {
			verdict = undecided // nothing could go wrong, so nothing was shown
		}
	}
	missed := c.missed(sum.Crossed)
	if len(sum.Failures)+len(missed) > 0 {
		verdict = failed
	}
	if *c.format == text {
		c.sum(len(views), &sum, missed)
	}
	return besides(verdict.err(), lost)
}

// missed are the steps of the core that no story crosses and every story was told; each needs one.
func (c *crashRun) missed(crossed []string) (missed []string) {
	if len(c.scenarios) < len(crashpoints.All()) {
		return nil
	}
	for _, step := range steps() {
		if _, beyond := crashpoints.Beyond()[step]; !beyond && !slices.Contains(crossed, step) {
			missed = append(missed, step)
		}
	}
	return missed
}

func (c *crashRun) sum(scenarios int, sum *crashView, missed []string) {
	out := c.env.Stdout
	fmt.Fprintf(out, "%d scenarios, %d effects, %d tellings, %d failed\n", scenarios, sum.Effects, sum.Tellings, len(sum.Failures))
	if sum.Pairs > 0 {
		fmt.Fprintf(out, "%d pairs: %d told, %d pruned\n", sum.Pairs, sum.Tried, sum.Pruned)
	}
	slices.Sort(sum.Crossed)
	fmt.Fprintf(out, "%d of %d named steps crossed\n", len(slices.Compact(sum.Crossed)), len(steps()))
	for _, step := range missed {
		fmt.Fprintf(out, "FAILED\n  no scenario crosses the step %s: sim/crashpoints needs one\n", step)
	}
}

// one tells one story once, with the effects of -hits going wrong.
func (c *crashRun) one(ctx context.Context, s crashpoints.Scenario) error {
	var told crashpoints.Told
	_, err := orInterrupted(ctx, func() (none struct{}, err error) {
		told, err = s.Tell(c.options, c.hits...)
		return none, err
	})
	var missed *crashpoints.MissedError
	switch {
	case errors.Is(err, errInterrupted):
		return err
	case errors.As(err, &missed):
		return usagef("novasim crashpoints -scenario "+s.Name+" -hits 0:after, which lists the effects",
			"-hits %s: the telling has no effect %d; it has %d, counted from 0", hitsText(c.hits), missed.Hit.Index, missed.Effects)
	}
	v := crashView{
		Scenario: s.Name, Doc: s.Doc, Seed: c.options.Seed, Verdict: passed, Effects: len(told.Effects), Tellings: 1,
		Crossed: append([]string{}, told.Steps...),
	}
	if err != nil {
		v.Verdict = failed
		f := c.failureOf(s.Name, crashpoints.Failure{Hits: c.hits, Effects: told.Struck(c.hits), Err: err})
		c.keep(s.Name, &f)
		v.Failures = append(v.Failures, f)
	}
	if *c.format != text {
		return besides(v.Verdict.err(), c.format.write(c.env.Stdout, v))
	}
	fmt.Fprintf(c.env.Stdout, "%s, seed %d: %s\n", s.Name, c.options.Seed, s.Doc)
	for i, e := range told.Effects {
		mark := ""
		for _, h := range c.hits {
			if h.Index == i {
				mark = h.Fate.String()
			}
		}
		fmt.Fprintf(c.env.Stdout, "%-8s %4d  %s\n", mark, i, e)
	}
	for _, f := range v.Failures {
		f.text(c.env.Stdout)
	}
	if v.Verdict == passed {
		fmt.Fprintln(c.env.Stdout, strings.ToUpper(string(passed)))
	}
	return v.Verdict.err()
}

// keep tells a failed telling once more to record it, and leaves the history, the events and the failure in a directory of its
// own. What keeps it from doing so is told in its place.
func (c *crashRun) keep(scenario string, f *crashFailure) {
	name := strings.NewReplacer(":", "-", ",", "-").Replace(f.Hits)
	f.Artifact = filepath.Join(c.out, strings.TrimSuffix(fmt.Sprintf("%s-seed-%d-%s", scenario, c.options.Seed, name), "-"))
	if err := c.keepIn(scenario, f); err != nil {
		f.Artifact = fmt.Sprintf("none: %v", err)
	}
}

func (c *crashRun) keepIn(scenario string, f *crashFailure) error {
	recording, err := record(filepath.Join(f.Artifact, "history.jsonl"), "", f.Repeat)
	if err != nil {
		return err
	}
	s, _ := crashpoints.Find(scenario)
	hits, _ := parseHits(f.Hits) // it was made by hitsText
	ring := sim.NewRing(keptEvents)
	o := c.options
	o.History, o.Trace = recording.recorder(), ring
	_, failure := s.Tell(o, hits...)
	if err := recording.close(); err != nil {
		return err
	}
	if failure == nil {
		f.Detail = "when it was told again it passed: the telling is not deterministic\n" + f.Detail
	}
	trace := strings.Join(ring.Lines(), "\n") + "\n"
	if err := os.WriteFile(filepath.Join(f.Artifact, "trace.txt"), []byte(trace), 0o666); err != nil {
		return err
	}
	return writeReport(filepath.Join(f.Artifact, "report.json"), f)
}

// writeReport writes a value as JSON into a file.
func writeReport(path string, value any) error {
	file, err := createOutput(path)
	if err != nil {
		return err
	}
	err = asJSON.write(file, value)
	return errors.Join(err, file.place(err == nil))
}
