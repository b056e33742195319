package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/novastream/nova/sim/scenario"
	"github.com/novastream/nova/sim/timeline"
)

// How many events of a failed run are kept: up to its first violation, and behind it.
const (
	keptEvents = 50_000
	keptBehind = 5_000
)

// keep runs a failed seed once more to record it, and leaves the history, the events around the first violation and the report in a directory of
// its own, with the file by which it can be replayed. What keeps it from doing so is told in the view; the failure itself stays.
func (r *runFlags) keep(v *view, o scenario.Options) {
	seed := strconv.FormatUint(o.Seed, 10)
	v.Repeat = r.repeat(seed)
	v.Artifact = filepath.Join(r.out, "seed-"+seed)
	if err := keepIn(v, o); err != nil {
		v.Artifact = fmt.Sprintf("none: %v", err)
	}
}

// keepIn runs a failed run once more, and leaves what is kept of it in the directory v.Artifact.
func keepIn(v *view, o scenario.Options) error {
	recording, err := record(filepath.Join(v.Artifact, "history.jsonl"), "", v.Repeat)
	if err != nil {
		return err
	}
	events := &timeline.Collector{}
	o.History, o.Trace = recording.recorder(), events
	again, err := simulate(o)
	if err = errors.Join(err, recording.close()); err != nil {
		return err
	}
	if hash := hashText(again.TraceHash); hash != v.TraceHash {
		v.Violations = append([]violation{{Check: "determinism", Sentence: fmt.Sprintf(
			"the run is not deterministic: its trace hash was %s, and %s when it was repeated; try novasim meta -seed %d", v.TraceHash, hash, v.Seed,
		)}}, v.Violations...)
	}
	heard, done, err := keptHistory(v)
	if err != nil {
		return err
	}
	defer done()
	if err := keepEvents(v, events, heard); err != nil {
		return err
	}
	if err := keepFailure(v, again); err != nil {
		return err
	}
	return writeReport(filepath.Join(v.Artifact, "report.json"), v)
}
