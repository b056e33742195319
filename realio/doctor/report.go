package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Result is what became of a check.
type Result string

// The results.
const (
	Good    Result = "good"
	Warning Result = "warning" // it works, and something about it is worth knowing
	Bad     Result = "bad"
	Skipped Result = "skipped" // it was not asked for
)

// Finding is one check with what it found.
type Finding struct {
	Check  string
	Result Result
	Says   string // what was found, in plain words
	Try    string // what to do about it; empty where nothing is to be done
	Took   time.Duration
}

// Use is something that the subject is wanted for.
type Use struct {
	Name string
	Fit  bool
	Why  []string // the checks that stand against it
}

// Report is what the doctor found about one subject.
type Report struct {
	Findings []Finding
	Uses     []Use
}

// Fit says whether the subject is fit for a use.
func (r Report) Fit(use string) bool {
	return slices.ContainsFunc(r.Uses, func(u Use) bool { return u.Name == use && u.Fit })
}

// Failed says whether a check went wrong.
func (r Report) Failed() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Result == Bad })
}

// Verdict is the report in one sentence.
func (r Report) Verdict() string {
	var fit, unfit []string
	for _, u := range r.Uses {
		if u.Fit {
			fit = append(fit, u.Name)
		} else {
			unfit = append(unfit, fmt.Sprintf("%s (%s)", u.Name, strings.Join(u.Why, ", ")))
		}
	}
	switch {
	case len(unfit) == 0:
		return "fit for " + list(fit)
	case len(fit) == 0:
		return "fit for nothing: not for " + list(unfit)
	default:
		return "fit for " + list(fit) + "; not for " + list(unfit)
	}
}

// list joins words: a, b and c.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// check is one thing to find out.
type check struct {
	name string
	uses []string // that it stands against where it goes wrong
	run  func(ctx context.Context) verdict
}

// verdict is what a check came to.
type verdict struct {
	result  Result
	says    string
	try     string
	against bool // it stands against the uses of the check, though it is not bad in itself
}

func good(format string, args ...any) verdict {
	return verdict{result: Good, says: fmt.Sprintf(format, args...)}
}

func warning(try, format string, args ...any) verdict {
	return verdict{result: Warning, says: fmt.Sprintf(format, args...), try: try}
}

func bad(try, format string, args ...any) verdict {
	return verdict{result: Bad, says: fmt.Sprintf(format, args...), try: try}
}

// failed is the verdict of a check whose calls failed.
func failed(doing string, err error) verdict {
	return bad("the same again once it is well; if it stays like that, the log of the servers", "%s: %v", doing, err)
}

// examine makes the checks one after the other, each within a time, and tells each as it is made.
func examine(ctx context.Context, within time.Duration, uses []string, checks []check, tell func(Finding)) Report {
	r := Report{}
	for _, name := range uses {
		r.Uses = append(r.Uses, Use{Name: name, Fit: true})
	}
	for _, c := range checks {
		began := time.Now()
		checking, cancel := context.WithTimeout(ctx, within)
		v := c.run(checking)
		cancel()
		f := Finding{Check: c.name, Result: v.result, Says: v.says, Try: v.try, Took: time.Since(began)}
		r.Findings = append(r.Findings, f)
		tell(f)
		if f.Result == Bad || v.against {
			r.against(c)
		}
	}
	return r
}

// against notes that a check stands against its uses.
func (r *Report) against(c check) {
	for i := range r.Uses {
		if u := &r.Uses[i]; slices.Contains(c.uses, u.Name) {
			u.Fit, u.Why = false, append(u.Why, c.name)
		}
	}
}
