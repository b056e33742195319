package cli

import (
	"fmt"
	"slices"
	"time"
)

// score is what the trials of one bug came to.
type score struct {
	Bug      string   `json:"bug"`
	Found    bool     `json:"found"` // in every trial
	Seeds    []int    `json:"seeds"` // that each trial needed, or ran in vain, ascending
	Seconds  float64  `json:"wall_seconds"`
	Seed     uint64   `json:"seed,omitempty"` // the first that found it
	Check    string   `json:"check,omitempty"`
	Sentence string   `json:"sentence,omitempty"`
	Repeat   string   `json:"repeat,omitempty"`
	Sick     []uint64 `json:"failed_without_it,omitempty"` // seeds that failed without the bug too
}

// median is the middle of values that are in order.
func median[T any](of []T) T { return of[(len(of)-1)/2] }

// scoreOf sums up the trials of a bug.
func (b *bugsRun) scoreOf(trials []trial) score {
	s := score{Bug: trials[0].bug.String(), Found: true}
	var took []time.Duration
	for _, t := range trials {
		s.Seeds, took, s.Sick = append(s.Seeds, t.seeds), append(took, t.took), append(s.Sick, t.sick...)
		s.Found = s.Found && t.found
		if t.found && s.Check == "" {
			s.Seed, s.Check, s.Sentence = t.seed, t.violation.Check, t.violation.Sentence
			s.Repeat = b.repeat(fmt.Sprint(t.seed)) + " -bug " + s.Bug
		}
	}
	slices.Sort(s.Seeds)
	slices.Sort(took)
	s.Seconds = median(took).Seconds()
	return s
}

func (s *score) text(e Env) {
	by := s.Check
	if !s.Found {
		by = "NOT FOUND"
	}
	if len(s.Sick) > 0 {
		by += fmt.Sprintf("; %d seeds fail without the bug too, the first is %d", len(s.Sick), s.Sick[0])
	}
	fmt.Fprintf(e.Stdout, "%-26s %6d %5d %8.1fs  %s\n", s.Bug, median(s.Seeds), s.Seeds[len(s.Seeds)-1], s.Seconds, by)
}

// finish tells the sum.
func (b *bugsRun) finish(e Env, scores []score, took time.Duration) error {
	var missed []string
	var needed []int
	var lost error
	for _, s := range scores {
		if !s.Found {
			missed = append(missed, s.Bug)
			continue
		}
		needed = append(needed, median(s.Seeds))
	}
	if *b.format != text {
		lost = writeAll(*b.format, e.Stdout, scores)
	} else {
		fmt.Fprintf(e.Stdout, "\n%d of %d planted bugs found in %v", len(needed), len(scores), took.Round(100*time.Millisecond))
		if len(needed) > 0 {
			slices.Sort(needed)
			fmt.Fprintf(e.Stdout, ", half of them within %d seeds, the last within %d", median(needed), needed[len(needed)-1])
		}
		fmt.Fprintln(e.Stdout)
		if len(missed) > 0 {
			section(e.Stdout, "not found", missed, "")
		}
	}
	if len(missed) > 0 {
		return besides(errFailed, lost)
	}
	return lost
}
