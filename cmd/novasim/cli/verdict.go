package cli

import (
	"fmt"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/scenario"
)

// verdict is what came of a run.
type verdict string

// The verdicts.
const (
	passed    verdict = "passed"
	failed    verdict = "failed"
	undecided verdict = "undecided"
)

func verdictOf(r scenario.Report) verdict {
	switch {
	case len(r.Violations) > 0:
		return failed
	case len(r.Undecided) > 0:
		return undecided
	default:
		return passed
	}
}

func (v verdict) err() error {
	switch v {
	case failed:
		return errFailed
	case undecided:
		return errUndecided
	default:
		return nil
	}
}

// simulate runs one world. A panic of the simulator itself is a violation like that of the core: it names the seed.
func simulate(o scenario.Options) (r scenario.Report, err error) {
	defer func() {
		if v := recover(); v != nil {
			r = scenario.Report{Options: o, Violations: []scenario.Violation{{
				Check: "simulator", Sentence: fmt.Sprintf("the simulator panicked: %v", v), Detail: sim.Stack(),
			}}}
		}
	}()
	r, err = scenario.Run(o)
	if err != nil {
		return r, usagef("novasim -h", "%v", err)
	}
	return r, nil
}
