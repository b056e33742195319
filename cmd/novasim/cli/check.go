package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/history"
)

const checkUsage = `novasim check judges recorded histories: could streams that are linearizable have answered so?

Usage:
  novasim check [flags] FILE...

Examples:
  novasim check history.jsonl
  novasim check -max-ops 0 production.jsonl           the witness check alone, for histories of any size
  novasim check -html out.html history.jsonl          and draw the history on one page
  novasim check -o json a.jsonl b.jsonl
`

// judgement is what came of one file.
type judgement struct {
	File       string      `json:"file"`
	MadeBy     string      `json:"made_by,omitempty"`
	Verdict    verdict     `json:"verdict"`
	Witness    checked     `json:"witness"`
	Porcupine  checked     `json:"porcupine"`
	Violations []violation `json:"violations,omitempty"`
	Found      int         `json:"found"` // violations in all, listed or not
	Undecided  []string    `json:"undecided,omitempty"`
	Warning    string      `json:"warning,omitempty"`

	lost error // of its page
}

func checkFiles(ctx context.Context, e Env, args []string) error {
	f := newFlags(e, "check", checkUsage)
	cfg := history.DefaultConfig()
	o := f.format()
	f.IntVar(&cfg.MaxOps, "max-ops", cfg.MaxOps, "operations of one stream that porcupine looks at, from the start on; 0 leaves porcupine out")
	f.IntVar(&cfg.MaxSteps, "max-steps", cfg.MaxSteps, "steps that porcupine may take for one stream before it is undecided")
	f.durationVar(&cfg.Timeout, "timeout", cfg.Timeout, "`time` that porcupine may take for one stream before it is undecided; 0 is no limit")
	html := f.String("html", "", "draw the history on one page in `file`, which opens from disk")
	if err := f.parse(args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return usagef("novasim check history.jsonl", "no file is named")
	}
	if *html != "" && f.NArg() > 1 {
		return usagef("novasim check -html out.html history.jsonl", "-html draws one history, and %d are named", f.NArg())
	}
	if cfg.MaxOps < 0 {
		return usagef("novasim check -max-ops 0 FILE, which leaves porcupine out", "-max-ops %d must not be negative", cfg.MaxOps)
	}
	if cfg.MaxOps > 0 && cfg.MaxSteps < 1 {
		return usagef(f.help, "-max-steps %d must be above 0", cfg.MaxSteps)
	}
	if cfg.Timeout < 0 {
		return usagef(f.help, "-timeout %v must not be negative; 0 is no limit", cfg.Timeout)
	}
	if err := distinct([]string{*html}, f.Args()...); err != nil {
		return err
	}
	var page *output
	if *html != "" {
		var err error
		if page, err = createOutput(*html); err != nil {
			return err
		}
	}
	var all []judgement
	worst := passed
	var lost error // a page that could not be written
	for _, name := range f.Args() {
		j, err := orInterrupted(ctx, func() (judgement, error) { return judge(name, cfg, page) })
		if err != nil && page != nil {
			_ = page.place(false) // the error tells more
		}
		if err != nil {
			return err
		}
		lost = errors.Join(lost, j.lost)
		if j.Warning != "" {
			fmt.Fprintf(e.Stderr, "novasim: %s\n", plain(name+": "+j.Warning))
		}
		if *o == text {
			j.text(e)
		}
		if j.Verdict == failed || worst == passed {
			worst = j.Verdict
		}
		all = append(all, j)
	}
	if *o != text {
		lost = errors.Join(lost, writeAll(*o, e.Stdout, all))
	}
	return besides(worst.err(), lost)
}

// judge reads and checks one file, and draws it where there is a file for the page. A file that is no history is wrong usage.
func judge(name string, cfg history.Config, page *output) (judgement, error) {
	const try = "docs/histories.md tells what a history is"
	file, err := openHistory(name)
	if err != nil {
		return judgement{}, err
	}
	defer func() { _ = file.Close() }() // it was only read
	stored, err := history.NewStored(file)
	if err != nil {
		return judgement{}, usagef(try, "%s: %v", name, err)
	}
	result, err := history.Check(stored, cfg)
	var bad *history.BadEventError
	if errors.As(err, &bad) {
		return judgement{}, usagef(try, "%s: %v", name, err)
	}
	if err != nil {
		return judgement{}, fmt.Errorf("%s: %w", name, err)
	}
	j := judgement{
		File: name, MadeBy: stored.Header.MadeBy, Verdict: verdictOfHistory(result), Found: result.Found,
		Witness: checkedOf(result.Witness), Porcupine: checkedOf(result.Porcupine), Warning: stored.Warning(),
	}
	for _, v := range result.Violations {
		j.Violations = append(j.Violations, violation{Check: string(v.Rule), Sentence: v.Text})
	}
	for _, u := range result.Undecided {
		j.Undecided = append(j.Undecided, u.Text)
	}
	if page != nil {
		j.lost = j.draw(page, stored, result)
	}
	return j, nil
}

func verdictOfHistory(r history.Result) verdict {
	switch r.Verdict() {
	case history.Violated:
		return failed
	case history.NotDecided:
		return undecided
	default:
		return passed
	}
}

func (j *judgement) text(e Env) {
	title := j.File
	if j.MadeBy != "" {
		title += ", made by " + j.MadeBy
	}
	fmt.Fprintln(e.Stdout, plain(title))
	section(e.Stdout, "witness", []string{j.Witness.Text}, "")
	section(e.Stdout, "porcupine", []string{j.Porcupine.Text}, "")
	v := view{Verdict: j.Verdict, Violations: j.Violations, Undecided: j.Undecided}
	v.end(e.Stdout)
	if more := j.Found - len(j.Violations); more > 0 {
		fmt.Fprintf(e.Stdout, "  %d violations were found that are not listed\n", more)
	}
}
