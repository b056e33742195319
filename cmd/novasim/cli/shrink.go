package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/novastream/nova/sim/scenario"
	"github.com/novastream/nova/sim/shrink"
)

const shrinkUsage = `novasim shrink looks for the smallest run of a failing seed in which the same check fails: it leaves out strikes of faults,
operations of clients, streams, stars, waiting times and random choices of the scheduler, and runs what is left, until nothing
more can be missed or the budget is used up. The smallest run is kept, and novasim replay runs it again.

Of a kept failure it makes less still: a search that was interrupted, or whose budget was used up, goes on from what it kept.

Usage:
  novasim shrink [flags] [failure.nova]

Examples:
  novasim shrink -seed 7
  novasim shrink -budget 1h out/seed-7-shrunk/failure.nova
  novasim shrink -seed 1 -bug no-poison -duration 3m
  novasim shrink -seed 7 -budget 20m -o json
`

// shrunk is what came of a search.
type shrunk struct {
	Seed     uint64      `json:"seed"`
	Check    string      `json:"check"`
	From     shrink.Size `json:"from"`
	To       shrink.Size `json:"to"`
	Runs     int         `json:"runs"`
	Complete bool        `json:"complete"` // nothing more can be left out; else the budget was used up, or the search was interrupted
	Acts     []string    `json:"acts"`
	Run      view        `json:"run"` // the smallest

	interrupted bool
	original    bool // the smallest is the run that failed: there was no time for another
}

// shrinkRun is one novasim shrink.
type shrinkRun struct {
	*worldFlags
	seed   uint64
	budget time.Duration
	jobs   int
	anyway bool
	out    string
	format *format
	file   string // of a kept failure; empty: the seed is run
}

func parseShrink(e Env, args []string) (*shrinkRun, error) {
	f := newFlags(e, "shrink", shrinkUsage)
	s := &shrinkRun{}
	f.Uint64Var(&s.seed, "seed", 1, "the `seed` of the failing run")
	f.durationVar(&s.budget, "budget", 5*time.Minute, "`time` after which the smallest run found so far will do; 0 is no limit")
	f.IntVar(&s.jobs, "j", runtime.NumCPU(), "`number` of worlds that run at the same time; more find the same, sooner")
	f.BoolVar(&s.anyway, "anyway", false, "of a kept failure: make it smaller even though it was made by other code")
	f.StringVar(&s.out, "out", "out", "`directory` for what is kept of the smallest run")
	s.format = f.format()
	s.worldFlags = newWorldFlags(f)
	if err := s.parse(args); err != nil {
		return nil, err
	}
	switch {
	case f.NArg() > 1:
		return nil, usagef("novasim shrink out/seed-7/failure.nova", "one kept failure at most is made smaller: %q", f.Arg(1))
	case s.budget < 0:
		return nil, usagef("novasim shrink -h", "-budget must not be negative")
	case s.jobs < 1:
		return nil, usagef("novasim shrink -h", "-j %d must be above 0", s.jobs)
	}
	s.options.Seed, s.options.Hasty = s.seed, true
	if s.file = f.Arg(0); s.file == "" {
		if s.anyway {
			return nil, usagef("novasim shrink -anyway out/seed-7/failure.nova", "-anyway is of kept failures")
		}
		return s, nil
	}
	return s, s.goOn()
}

// goOn takes what is run from a kept failure.
func (s *shrinkRun) goOn() error {
	file, err := os.Open(s.file)
	if err != nil {
		return usagef("novasim shrink FILE, with the failure.nova of an artifact", "%v", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	f, _, err := s.keptFailure("shrink", s.file, file, s.anyway, "seed")
	if err != nil {
		return err
	}
	s.seed, s.options = f.Options.Seed, f.Options
	s.options.Hasty = true // whatever comes behind the first violation
	return nil
}

// again is the command that starts the search once more.
func (s *shrinkRun) again() string {
	if s.file != "" {
		return "novasim shrink " + s.file
	}
	return "novasim shrink -seed " + strconv.FormatUint(s.seed, 10) + joined(s.args())
}

func runShrink(ctx context.Context, e Env, args []string) error {
	s, err := parseShrink(e, args)
	if err != nil {
		return err
	}
	if there, err := os.Stat(s.out); err == nil && !there.IsDir() {
		return usagef("-out DIRECTORY", "-out %s is no directory", s.out)
	}
	found, err := s.search(ctx)
	var lost *shrink.LostError
	switch {
	case errors.Is(err, shrink.ErrPasses) && s.file != "":
		return usagef("novasim replay "+s.file, "%s passes every check: there is nothing to shrink", s.file)
	case errors.Is(err, shrink.ErrPasses):
		return usagef("novasim -seeds 1..100"+joined(s.args()), "seed %d passes every check: there is nothing to shrink", s.seed)
	case errors.As(err, &lost):
		return besides(errFailed, fmt.Errorf("seed %d: %w", s.seed, err))
	case err != nil:
		return err
	}
	one, err := s.keep(found)
	if err != nil {
		return err
	}
	one.interrupted = ctx.Err() != nil && !found.Complete
	if *s.format != text {
		err = s.format.write(e.Stdout, one)
	} else {
		one.text(e)
	}
	if one.interrupted {
		return besides(errInterrupted, err)
	}
	return besides(errFailed, err)
}

// search looks for the smallest run until the budget is used up. An interrupt ends the run under way, and the search: the smallest
// by then is kept, if there is any.
func (s *shrinkRun) search(ctx context.Context) (shrink.Result, error) {
	began := time.Now()
	var line atomic.Pointer[string]
	said := "the failing run"
	line.Store(&said)
	p := follow(s.env, func() string { return fmt.Sprintf("%v: %s", time.Since(began).Round(time.Second), *line.Load()) })
	defer p.Stop()
	return shrink.Shrink(shrink.Config{
		Options: s.options, Run: func(o scenario.Options) (scenario.Report, error) { return interruptible(ctx, o) }, First: s.first(ctx, began),
		More: func() bool { return ctx.Err() == nil && (s.budget == 0 || time.Since(began) < s.budget) },
		Tell: func(doing string, runs int, from, to shrink.Size) {
			text := fmt.Sprintf("%d runs, %d of %d faults, %d of %d operations, last: %s",
				runs, to.Faults, from.Faults, to.Operations, from.Operations, doing)
			line.Store(&text)
		},
	})
}

// first runs some, several at a time, until the first that fails is known, or the budget is used up.
func (s *shrinkRun) first(ctx context.Context, began time.Time) shrink.First {
	return func(some []scenario.Options, fails func(scenario.Report) bool) (int, scenario.Report) {
		inTime, cancel := context.WithCancel(ctx)
		if s.budget > 0 {
			inTime, cancel = context.WithDeadline(ctx, began.Add(s.budget))
		}
		defer cancel()
		passed, failed := 0, scenario.Report{}
		all := seedRange{0, uint64(len(some)) - 1}
		err := inOrder(inTime, all, s.jobs, func(i uint64) (scenario.Report, error) { return simulate(some[i]) }, func(r scenario.Report) bool {
			if fails(r) {
				failed = r
				return false
			}
			passed++
			return true
		})
		if err != nil || passed == len(some) {
			return -1, failed
		}
		return passed, failed
	}
}

// keep runs the smallest run to its end and keeps what it leaves behind. What keeps it from doing so is told in the view.
func (s *shrinkRun) keep(found shrink.Result) (*shrunk, error) {
	o := found.Options
	o.Hasty = false
	report, err := simulate(o)
	if err != nil {
		return nil, err
	}
	if len(report.Violations) == 0 { // the end of a hasty run is what fails
		o.Hasty = true
		report = found.Report
	}
	v := viewOf(report)
	v.Artifact = filepath.Join(s.out, "seed-"+strconv.FormatUint(s.seed, 10)+"-shrunk")
	v.Repeat = s.again()
	if err := keepIn(&v, o); err != nil {
		v.Artifact = fmt.Sprintf("none: %v", err)
	} else {
		v.Repeat = "novasim replay " + filepath.Join(v.Artifact, failureFile)
	}
	one := &shrunk{
		Seed: s.seed, Check: found.Check, From: found.From, To: found.To, Runs: found.Runs, Complete: found.Complete, Run: v,
		original: found.Options.Script == nil,
	}
	for _, act := range found.Report.Options.Script.Acts {
		one.Acts = append(one.Acts, act.String())
	}
	return one, nil
}

func runsText(n int) string {
	if n == 1 {
		return "1 run"
	}
	return strconv.Itoa(n) + " runs"
}

// maxActs is how many acts are told; the artifact has all.
const maxActs = 40

func (s *shrunk) text(e Env) {
	end := "nothing more can be left out"
	if !s.Complete {
		end = "the budget was used up: -budget gives it more time"
	}
	if s.original {
		end = "the budget was too short to make it any smaller, and this is the run itself: -budget gives it more time"
	}
	if s.interrupted {
		end = "it was interrupted; this is the smallest by then"
	}
	fmt.Fprintf(e.Stdout, "seed %d fails %s; %s later %s\n", s.Seed, s.Check, runsText(s.Runs), end)
	row := func(what string, from, to any) { fmt.Fprintf(e.Stdout, "  %-26s %10v -> %v\n", what, from, to) }
	row("strikes of faults", s.From.Faults, s.To.Faults)
	row("operations of clients", s.From.Operations, s.To.Operations)
	row("clients", s.From.Clients, s.To.Clients)
	row("streams", s.From.Streams, s.To.Streams)
	row("stars", s.From.Stars, s.To.Stars)
	row("time under faults", s.From.Duration, s.To.Duration.Round(time.Millisecond))
	row("random choices of tasks", s.From.Choices, s.To.Choices)
	fmt.Fprintln(e.Stdout, "what happens in it:")
	for i, act := range s.Acts {
		if i == maxActs {
			fmt.Fprintf(e.Stdout, "  and %d more\n", len(s.Acts)-maxActs)
			break
		}
		fmt.Fprintln(e.Stdout, "  "+plain(act))
	}
	if len(s.Acts) == 0 {
		fmt.Fprintln(e.Stdout, "  nothing: the checks themselves find it")
	}
	s.Run.end(e.Stdout)
}
