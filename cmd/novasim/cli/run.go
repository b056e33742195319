package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/novastream/nova/sim/scenario"
)

const runUsage = `novasim runs a simulated fleet under faults, heals it, and checks that no promise was broken.

Usage:
  novasim [flags]

Examples:
  novasim -seed 7                                     one run
  novasim -seed 7 -stars 9 -duration 30m -faults crash,partition
  novasim -seed 7 -history out/history.jsonl          and keep what the clients asked and were told
  novasim -seed 7 -html out/seed-7.html               and draw all of it on one page
  novasim -seed 7 -explain                            and tell what led to the first violation
  novasim -seeds 1..500 -j 2                          many runs, until one fails
  novasim -seeds 1..20 -bug no-poison -keep-going     does it find a planted bug?
`

// runFlags are those of novasim without a command.
type runFlags struct {
	*worldFlags
	seed      uint64
	seeds     seedRange
	jobs      int
	keepGoing bool
	history   string
	trace     string
	html      string
	explain   bool
	out       string
	format    *format
}

func parseRun(e Env, args []string) (*runFlags, error) {
	f := newFlags(e, "", runUsage)
	r := &runFlags{}
	f.Uint64Var(&r.seed, "seed", 1, "the `seed` of the run")
	f.Var(&r.seeds, "seeds", "many runs: seeds `A..B`")
	f.IntVar(&r.jobs, "j", runtime.NumCPU(), "`number` of worlds that run at the same time, with -seeds")
	f.BoolVar(&r.keepGoing, "keep-going", false, "do not stop at the first failure, with -seeds")
	f.StringVar(&r.history, "history", "", "write the history of all operations to `file`")
	f.StringVar(&r.trace, "trace", "", "write every event to `file`")
	f.StringVar(&r.html, "html", "", "draw the run on one page in `file`, which opens from disk")
	f.BoolVar(&r.explain, "explain", false, "tell the events that led to the first violation")
	f.StringVar(&r.out, "out", "out", "`directory` for what is kept of a failure")
	r.format = f.format()
	r.worldFlags = newWorldFlags(f)
	if err := r.parse(args); err != nil {
		return nil, err
	}
	many := f.given("seeds")
	switch {
	case f.NArg() > 0:
		return nil, usagef("novasim -h", "nothing may follow the flags: %q", f.Arg(0))
	case many && f.given("seed"):
		return nil, usagef("novasim -h", "-seed and -seeds exclude each other")
	case many && (r.history != "" || r.trace != "" || r.html != "" || r.explain):
		return nil, usagef("novasim -seed N -history FILE",
			"-history, -trace, -html and -explain are of one run; a failing seed of many leaves them all under -out")
	case !many && (f.given("j") || r.keepGoing):
		return nil, usagef("novasim -seeds 1..100 -j 2", "-j and -keep-going go with -seeds")
	case r.jobs < 1:
		return nil, usagef("novasim -h", "-j %d: at least one world must run", r.jobs)
	}
	return r, distinct([]string{r.history, r.trace, r.html})
}

// runSeeds is novasim without a command.
func runSeeds(ctx context.Context, e Env, args []string) error {
	r, err := parseRun(e, args)
	if err != nil {
		return err
	}
	if r.given("seeds") {
		return r.swarm(ctx)
	}
	return r.one(ctx)
}

// one runs one seed.
func (r *runFlags) one(ctx context.Context) error {
	o := r.options
	o.Seed = r.seed
	recording, err := record(r.history, r.trace, r.repeat(strconv.FormatUint(r.seed, 10)))
	if err != nil {
		return err
	}
	if r.html != "" {
		if err := recording.createPage(r.html); err != nil {
			recording.discard()
			return err
		}
	}
	if r.html != "" || r.explain {
		recording.collect()
	} else {
		confine(o.Streams)
	}
	o.History, o.Trace = recording.recorder(), recording.tracer()
	began := time.Now()
	p := follow(r.env, func() string { return fmt.Sprintf("seed %d runs for %v", r.seed, time.Since(began).Round(time.Second)) })
	report, err := interruptible(ctx, o)
	p.Stop()
	if err != nil {
		recording.discard()
		return err
	}
	lost := recording.close()
	return besides(r.tell(report, recording), lost)
}

// tell tells one run, and keeps what a failure leaves behind. A page that cannot be written hides nothing of it.
func (r *runFlags) tell(report scenario.Report, recording *recording) error {
	v := viewOf(report)
	if v.Verdict == failed {
		r.keep(&v, report.Options)
	}
	if r.explain {
		v.Explanation = explanation(recording.events)
	}
	var lost error
	if r.html != "" {
		v.Repeat = r.repeat(strconv.FormatUint(r.seed, 10))
		if lost = placePage(recording.page, pageOf(&v, recording.events, recording.log)); lost == nil {
			v.Page = r.html
		}
	}
	if *r.format != text {
		lost = errors.Join(lost, r.format.write(r.env.Stdout, v))
	} else {
		v.text(r.env.Stdout)
	}
	fmt.Fprintln(r.env.Stderr, speed{1, report.Steps, report.Simulated, report.Wall})
	return besides(v.Verdict.err(), lost)
}

// interruptible runs one world, unless it is told to end first: what it would have found is then undecided.
func interruptible(ctx context.Context, o scenario.Options) (scenario.Report, error) {
	return orInterrupted(ctx, func() (scenario.Report, error) { return simulate(o) })
}

// orInterrupted does something that knows of no interrupts, and leaves it alone on the first: the program ends then.
func orInterrupted[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	var none T
	select {
	case <-ctx.Done():
		return none, errInterrupted
	case r := <-done:
		return r.value, r.err
	}
}
