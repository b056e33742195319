package cli

import (
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/crashpoints"
)

const crashpointsUsage = `novasim crashpoints tells short stories of a fleet again and again: once for every effect that a star has on the world, and for
every way in which it can go wrong there. Then the fleet heals and everything is judged.

Usage:
  novasim crashpoints [flags]

Examples:
  novasim crashpoints                                   every effect of every story
  novasim crashpoints -scenario failover                of one of them
  novasim crashpoints -pairs                            and a second failure during the recovery from the first
  novasim crashpoints -pairs -every 50                  a sample of these
  novasim crashpoints -scenario lead -hits 3:after,7:lost   one telling
  novasim crashpoints -scenario lead -bug epoch-in-memory   does it find a planted bug?
`

// crashRun is the command line of novasim crashpoints.
type crashRun struct {
	*flags
	scenarios []crashpoints.Scenario
	hits      []crashpoints.Hit
	options   crashpoints.Options
	every     int // the distance of the pairs that are told; 0: none
	whole     bool
	jobs      int
	keepGoing bool
	bugs      string
	out       string
	format    *format
}

func parseCrashRun(e Env, args []string) (*crashRun, error) {
	f := newFlags(e, "crashpoints", crashpointsUsage)
	c := &crashRun{flags: f}
	scenario := f.String("scenario", "", "`names` of the stories to tell, with commas between; novasim list crashpoints. Empty: all")
	hits := f.String("hits", "", "tell one story once, with these effects going wrong: `INDEX:FATE,...`")
	pairs := f.Bool("pairs", false, "have a second effect go wrong during the recovery from the first")
	f.Uint64Var(&c.options.Seed, "seed", 1, "the `seed` of the worlds")
	f.IntVar(&c.every, "every", 1, "tell only each `n`-th pair, with -pairs")
	f.BoolVar(&c.whole, "whole", false, "tell every pair to its end, also where the world was seen before as the pair leaves it, with -pairs")
	f.IntVar(&c.jobs, "j", runtime.NumCPU(), "`number` of stories that are told at the same time")
	f.BoolVar(&c.keepGoing, "keep-going", false, "do not stop at the first failure")
	f.StringVar(&c.bugs, "bug", "", "`name` of a planted bug, or several with commas between; novasim list bugs")
	f.StringVar(&c.out, "out", "out", "`directory` for what is kept of a failure")
	c.format = f.format()
	if err := f.parse(args); err != nil {
		return nil, err
	}
	const help = "novasim crashpoints -h"
	switch {
	case f.NArg() > 0:
		return nil, usagef(help, "nothing may follow the flags: %q", f.Arg(0))
	case !*pairs && (f.given("every") || c.whole):
		return nil, usagef("novasim crashpoints -pairs -every 50", "-every and -whole go with -pairs")
	case c.every < 1:
		return nil, usagef(help, "-every %d must be above 0", c.every)
	case c.jobs < 1:
		return nil, usagef(help, "-j %d must be above 0", c.jobs)
	case !*pairs:
		c.every = 0
	}
	var err error
	if c.scenarios, err = parseStories(*scenario); err != nil {
		return nil, err
	}
	if c.hits, err = parseHits(*hits); err != nil {
		return nil, err
	}
	if f.given("hits") && (*pairs || len(c.scenarios) != 1) {
		return nil, usagef("novasim crashpoints -scenario lead -hits 3:after", "-hits is of one -scenario, without -pairs")
	}
	c.options.Bugs, err = parseBugs(c.bugs)
	return c, err
}

func storyNames() []string {
	var names []string
	for _, s := range crashpoints.All() {
		names = append(names, s.Name)
	}
	return names
}

func parseStories(text string) ([]crashpoints.Scenario, error) {
	if text == "" {
		return crashpoints.All(), nil
	}
	var all []crashpoints.Scenario
	for name := range strings.SplitSeq(text, ",") {
		if err := oneOf("crash-point scenario", name, storyNames()); err != nil {
			return nil, err
		}
		s, _ := crashpoints.Find(name)
		all = append(all, s)
	}
	return all, nil
}

// parseHits reads INDEX:FATE,INDEX:FATE.
func parseHits(text string) (hits []crashpoints.Hit, err error) {
	if text == "" {
		return nil, nil
	}
	var fates []string
	for _, fate := range sim.Fates() {
		fates = append(fates, fate.String())
	}
	for part := range strings.SplitSeq(text, ",") {
		index, name, both := strings.Cut(part, ":")
		at, err := strconv.Atoi(index)
		if err != nil || at < 0 || !both {
			return nil, usagef("novasim crashpoints -scenario lead -hits 3:after", "-hits %s: %q is no INDEX:FATE; fates are %s", text, part, strings.Join(fates, ", "))
		}
		if err := oneOf("fate", name, fates); err != nil {
			return nil, err
		}
		if len(hits) > 0 && at <= hits[len(hits)-1].Index {
			return nil, usagef("novasim crashpoints -scenario lead -hits 3:after,7:lost", "-hits %s: the indexes must rise", text)
		}
		hits = append(hits, crashpoints.Hit{Index: at, Fate: sim.Fates()[slices.Index(fates, name)]})
	}
	return hits, nil
}
