package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim/artifact"
	"github.com/novastream/nova/sim/scenario"
	"github.com/novastream/nova/sim/workload"
)

const replayUsage = `novasim replay runs a kept failure again, to the step, and sees that it takes the same course; or it has the operations of a
recorded history asked once more, at their times, of a simulated fleet with any seed and any faults, and checks the answers.

Usage:
  novasim replay [flags] failure.nova
  novasim replay [flags] history.jsonl

Examples:
  novasim replay out/seed-7/failure.nova
  novasim replay -anyway out/seed-7/failure.nova      is it still there, in other code?
  novasim replay -seed 3 -faults crash,pause production.jsonl
`

// replayRun is one novasim replay.
type replayRun struct {
	*worldFlags
	seed           uint64
	anyway         bool
	searched       int
	history, trace string
	format         *format
	file           string
}

func parseReplay(e Env, args []string) (*replayRun, error) {
	f := newFlags(e, "replay", replayUsage)
	r := &replayRun{}
	f.Uint64Var(&r.seed, "seed", 1, "of a history: the `seed` of the fleet and its faults")
	f.BoolVar(&r.anyway, "anyway", false, "of a failure: run it even though it was made by other code")
	f.IntVar(&r.searched, "max-ops", 6000, "of a history: operations of one stream that porcupine looks at, from the start on; 0 leaves porcupine out")
	f.StringVar(&r.history, "history", "", "write the history of all operations to `file`")
	f.StringVar(&r.trace, "trace", "", "write every event to `file`")
	r.format = f.format()
	r.worldFlags = newWorldFlags(f)
	if err := r.parse(args); err != nil {
		return nil, err
	}
	if f.NArg() != 1 {
		return nil, usagef("novasim replay out/seed-7/failure.nova", "one file must be named, behind the flags")
	}
	if r.searched < 0 {
		return nil, usagef("novasim replay -max-ops 0 FILE, which leaves porcupine out", "-max-ops %d must not be negative", r.searched)
	}
	r.file = f.Arg(0)
	return r, nil
}

func runReplay(ctx context.Context, e Env, args []string) error {
	r, err := parseReplay(e, args)
	if err != nil {
		return err
	}
	if err := distinct([]string{r.history, r.trace}, r.file); err != nil {
		return err
	}
	file, err := os.Open(r.file)
	if err != nil {
		return usagef("novasim replay FILE, with a failure.nova of an artifact or a history.jsonl", "%v", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	in := bufio.NewReader(file)
	start, _ := in.Peek(64)
	if artifact.IsFailure(start) {
		return r.failure(ctx, in)
	}
	if r.anyway {
		return usagef("novasim replay "+r.file, "-anyway is of kept failures; %s is none", r.file)
	}
	return r.recorded(ctx, file)
}

// failure runs a kept failure again.
func (r *replayRun) failure(ctx context.Context, in *bufio.Reader) error {
	f, misfit, err := r.keptFailure("replay", r.file, in, r.anyway, "seed", "max-ops")
	if err != nil {
		return err
	}
	report, lost, err := r.play(ctx, f.Options)
	if err != nil {
		return err
	}
	v := viewOf(report)
	same := report.TraceHash == f.Hash
	v.Same = &same
	switch {
	case same:
	case misfit == nil:
		v.Verdict = failed
		v.Violations = append([]violation{{Check: "determinism", Sentence: fmt.Sprintf(
			"the run took another course: its trace hash was %s and is %s now; the code has changed since (it was made by code %s, this is code %s), "+
				"or the run does not hang on its file alone: novasim meta finds out", hashText(f.Hash), v.TraceHash, f.Code, code(),
		)}}, v.Violations...)
	default:
		fmt.Fprintf(r.env.Stderr, "novasim: the run takes another course than the one that was kept, for %s: %s\n", plain(f.Check), plain(f.Sentence))
	}
	told := r.tell(&v, map[bool]string{true: "it took the same course as in " + r.file, false: "it took another course than in " + r.file}[same])
	return besides(told, lost)
}

// play runs one world and writes what was asked for of it; lost is what could not be written.
func (r *replayRun) play(ctx context.Context, o scenario.Options) (report scenario.Report, lost, err error) {
	recording, err := record(r.history, r.trace, "novasim replay "+r.file)
	if err != nil {
		return scenario.Report{}, nil, err
	}
	o.History, o.Trace = recording.recorder(), recording.tracer()
	if report, err = interruptible(ctx, o); err != nil {
		recording.discard()
		return report, nil, err
	}
	return report, recording.close(), nil
}

// tell tells what came of a replay.
func (r *replayRun) tell(v *view, course string) error {
	if *r.format != text {
		return besides(v.Verdict.err(), r.format.write(r.env.Stdout, v))
	}
	v.text(r.env.Stdout)
	fmt.Fprintf(r.env.Stdout, "  %s\n", plain(course))
	return v.Verdict.err()
}

// recorded has the operations of a history asked again.
func (r *replayRun) recorded(ctx context.Context, file *os.File) error {
	if r.given("streams") {
		return usagef("novasim replay "+r.file, "-streams: the streams are those of the history")
	}
	tape, err := orInterrupted(ctx, func() (*workload.Tape, error) { return r.tape(file) })
	if err != nil {
		return err
	}
	if least := time.Duration(tape.Length()); r.given("duration") && r.options.Duration < least {
		return usagef("without -duration, it takes as long as the history", "-duration %v is less than the %v that %s takes", r.options.Duration, least, r.file)
	}
	o := r.options
	o.Seed, o.Tape, o.Searched = r.seed, tape, r.searched
	if r.searched == 0 {
		o.Searched = -1
	}
	report, lost, err := r.play(ctx, o)
	if err != nil {
		return err
	}
	v := viewOf(report)
	if v.Verdict == failed {
		v.Repeat = fmt.Sprintf("novasim replay -seed %d -max-ops %d%s %s", r.seed, r.searched, joined(r.args()), r.file)
	}
	told := r.tell(&v, fmt.Sprintf("%d operations on %d streams were asked as in %s", tape.Operations(), tape.Streams(), r.file))
	return besides(told, lost)
}

// tape reads the operations of a history.
func (r *replayRun) tape(file *os.File) (*workload.Tape, error) {
	const try = "docs/histories.md tells what a history is; novasim convert reads those of s2-verification"
	if err := regular(file); err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	stored, err := history.NewStored(file)
	if err != nil {
		return nil, usagef(try, "%s: %v", r.file, err)
	}
	tape, err := workload.NewTape(stored)
	if err != nil {
		return nil, usagef(try, "%s: %v", r.file, err)
	}
	return tape, nil
}
