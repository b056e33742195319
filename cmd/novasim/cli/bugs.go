package cli

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/novastream/nova/core/planted"
)

const bugsUsage = `novasim bugs asks whether the simulator finds what it has to find: for each planted bug, which removes one protective rule
of the core, it runs one seed after the other until a check fails. A seed that fails without the bug as well does not count.

The table tells for each bug how many seeds that took and how long. With -trials it is looked for from several first seeds,
1,000 apart, and the table tells the median and the most.

Usage:
  novasim bugs [flags] [BUG...]

Examples:
  novasim bugs
  novasim bugs -trials 5
  novasim bugs -max 50 no-poison lease-is-the-guard
  novasim bugs -faults all -duration 3m -o json
`

// apart is the distance between the first seeds of two trials.
const apart = 1000

// maxSeeds is how many seeds a search may take.
const maxSeeds = 1_000_000

// bugsRun is one novasim bugs.
type bugsRun struct {
	*worldFlags
	bugs   []planted.Bug
	first  uint64
	most   uint64
	trials int
	jobs   int
	format *format
}

func parseBugsRun(e Env, args []string) (*bugsRun, error) {
	f := newFlags(e, "bugs", bugsUsage)
	b := &bugsRun{}
	f.Uint64Var(&b.first, "seed", 1, "the first `seed`")
	f.Uint64Var(&b.most, "max", 500, "`number` of seeds after which a bug counts as not found")
	f.IntVar(&b.trials, "trials", 1, "`number` of first seeds from which each bug is looked for")
	f.IntVar(&b.jobs, "j", runtime.NumCPU(), "`number` of worlds that run at the same time")
	b.format = f.format()
	b.worldFlags = newWorldFlags(f)
	if err := b.parse(args); err != nil {
		return nil, err
	}
	if f.given("bug") {
		return nil, usagef("novasim bugs NAME", "the bugs to look for are named behind the flags")
	}
	switch {
	case b.most < 1 || b.most > maxSeeds:
		return nil, usagef("novasim bugs -h", "-max %d must be above 0, and at most %d", b.most, maxSeeds)
	case b.trials < 1 || b.trials > maxSeeds:
		return nil, usagef("novasim bugs -h", "-trials %d must be above 0, and at most %d", b.trials, maxSeeds)
	case b.jobs < 1:
		return nil, usagef("novasim bugs -h", "-j %d must be above 0", b.jobs)
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
	var done atomic.Uint64 // searches that came to their end
	p := follow(e, func() string {
		return fmt.Sprintf("%d of %d searches in %v", done.Load(), len(b.bugs)*b.trials, time.Since(began).Round(time.Second))
	})
	defer p.Stop()
	if *b.format == text {
		fmt.Fprintf(e.Stdout, "%-26s %6s %5s %9s  %s\n", "bug", "median", "most", "wall", "found by")
	}
	var scores []score
	var of []trial // the trials of the bug at hand
	s := &searcher{run: b, healthy: map[uint64]*health{}}
	search := func(index uint64) (trial, error) {
		defer done.Add(1)
		return s.search(ctx, b.bugs[index/uint64(b.trials)], b.first+index%uint64(b.trials)*apart)
	}
	err = inOrder(ctx, seedRange{0, uint64(len(b.bugs)*b.trials) - 1}, b.jobs, search, func(t trial) bool {
		if of = append(of, t); len(of) == b.trials {
			scores, of = append(scores, b.scoreOf(of)), nil
			if *b.format == text {
				p.Print(func() { scores[len(scores)-1].text(e) })
			}
		}
		return true
	})
	if err != nil {
		return err
	}
	return b.finish(e, scores, time.Since(began))
}
