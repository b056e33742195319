package cli

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/sim/scenario"
)

const bugsUsage = `novasim bugs asks whether the simulator finds what it has to find: for each planted bug, which removes one protective rule
of the core, it runs one seed after the other until a check fails. A seed that fails without the bug as well does not count.

Usage:
  novasim bugs [flags] [BUG...]

Examples:
  novasim bugs
  novasim bugs -max 50 no-poison lease-is-the-guard
  novasim bugs -faults all -duration 3m -o json
`

// found is the search for one bug.
type found struct {
	Bug      string   `json:"bug"`
	Found    bool     `json:"found"`
	Seeds    int      `json:"seeds"` // that were needed, or that were run in vain
	Seed     uint64   `json:"seed,omitempty"`
	Check    string   `json:"check,omitempty"`
	Sentence string   `json:"sentence,omitempty"`
	Repeat   string   `json:"repeat,omitempty"`
	Sick     []uint64 `json:"failed_without_it,omitempty"` // seeds that failed without the bug too
	Seconds  float64  `json:"wall_seconds"`
}

// bugsRun is one novasim bugs.
type bugsRun struct {
	*worldFlags
	bugs   []planted.Bug
	first  uint64
	most   uint64
	jobs   int
	format *format
}

func parseBugsRun(e Env, args []string) (*bugsRun, error) {
	f := newFlags(e, bugsUsage)
	b := &bugsRun{}
	f.Uint64Var(&b.first, "seed", 1, "the first `seed`")
	f.Uint64Var(&b.most, "max", 200, "`number` of seeds after which a bug counts as not found")
	f.IntVar(&b.jobs, "j", runtime.NumCPU(), "`number` of worlds that run at the same time")
	b.format = f.format()
	b.worldFlags = newWorldFlags(f)
	if err := b.parse(args); err != nil {
		return nil, err
	}
	if f.given("bug") {
		return nil, usagef("novasim bugs NAME", "the bugs to look for are named behind the flags")
	}
	if b.most < 1 || b.jobs < 1 {
		return nil, usagef("novasim bugs -h", "-max %d and -j %d must be above 0", b.most, b.jobs)
	}
	b.bugs = planted.All()
	if f.NArg() > 0 {
		b.bugs = nil
	}
	for _, name := range f.Args() {
		if err := oneOf("planted bug", name, bugNames()); err != nil {
			return nil, err
		}
		bug, _ := planted.Parse(name)
		b.bugs = append(b.bugs, bug)
	}
	return b, nil
}

func runBugs(ctx context.Context, e Env, args []string) error {
	b, err := parseBugsRun(e, args)
	if err != nil {
		return err
	}
	began := time.Now()
	var at, done atomic.Uint64 // which bug, and its seeds
	p := follow(e, func() string {
		return fmt.Sprintf("looking for %v: %d seeds, %v in all", b.bugs[at.Load()], done.Load(), time.Since(began).Round(time.Second))
	})
	defer p.stop()
	if *b.format == text {
		fmt.Fprintf(e.Stdout, "%-26s %5s %9s  %s\n", "bug", "seeds", "wall", "found by")
	}
	var all []found
	for i, bug := range b.bugs {
		at.Store(uint64(i))
		done.Store(0)
		one, err := b.look(ctx, bug, &done)
		if err != nil {
			return err
		}
		all = append(all, one)
		if *b.format == text {
			p.print(func() { one.text(e) })
		}
	}
	return b.finish(e, all)
}

// look runs seeds with a bug until one fails that does not fail without it.
func (b *bugsRun) look(ctx context.Context, bug planted.Bug, done *atomic.Uint64) (found, error) {
	one := found{Bug: bug.String()}
	began := time.Now()
	run := func(seed uint64) (scenario.Report, error) {
		defer done.Add(1)
		o := b.options
		o.Seed, o.Bugs = seed, o.Bugs.With(bug)
		return simulate(o)
	}
	var failure error
	take := func(r scenario.Report) bool {
		one.Seeds++
		if len(r.Violations) == 0 {
			return true
		}
		o := b.options
		o.Seed = r.Options.Seed
		healthy, err := simulate(o)
		if err != nil {
			failure = err
			return false
		}
		if len(healthy.Violations) > 0 {
			one.Sick = append(one.Sick, o.Seed)
			return true
		}
		one.Found, one.Seed = true, o.Seed
		one.Check, one.Sentence = r.Violations[0].Check, r.Violations[0].Sentence
		one.Repeat = b.repeat(fmt.Sprint(o.Seed)) + " -bug " + one.Bug
		return false
	}
	err := inOrder(ctx, seedRange{b.first, b.first + b.most - 1}, b.jobs, run, take)
	if err == nil {
		err = failure
	}
	one.Seconds = time.Since(began).Seconds()
	return one, err
}

func (o *found) text(e Env) {
	by := "NOT FOUND"
	if o.Found {
		by = o.Check
	}
	if len(o.Sick) > 0 {
		by += fmt.Sprintf("; %d seeds fail without the bug too, the first is %d", len(o.Sick), o.Sick[0])
	}
	fmt.Fprintf(e.Stdout, "%-26s %5d %8.1fs  %s\n", o.Bug, o.Seeds, o.Seconds, by)
}

// finish tells the sum.
func (b *bugsRun) finish(e Env, all []found) error {
	var missed []string
	var needed []int
	for _, one := range all {
		if !one.Found {
			missed = append(missed, one.Bug)
			continue
		}
		needed = append(needed, one.Seeds)
	}
	if *b.format != text {
		if err := writeAll(*b.format, e.Stdout, all); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(e.Stdout, "\n%d of %d planted bugs found", len(needed), len(all))
		if len(needed) > 0 {
			slices.Sort(needed)
			fmt.Fprintf(e.Stdout, ", half of them within %d seeds, the last within %d", needed[(len(needed)-1)/2], needed[len(needed)-1])
		}
		fmt.Fprintln(e.Stdout)
		if len(missed) > 0 {
			section(e.Stdout, "not found", missed, "")
		}
	}
	if len(missed) > 0 {
		return errFailed
	}
	return nil
}
