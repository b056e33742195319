package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const metaUsage = `novasim meta asks whether a run is a function of its seed alone: it runs the seed in processes of different settings, and
compares the trace hashes. Where they differ, it tells the first event at which the runs part.

Usage:
  novasim meta [flags]

Examples:
  novasim meta -seed 7
  novasim meta -seeds 1..20 -duration 2m
  novasim meta -seed 7 -other out/novasim.race        another build, as one with the race detector
`

// setting is how one of the compared processes is run.
type setting struct {
	name    string
	program string
	env     []string
}

// comparison is what came of one seed.
type comparison struct {
	Seed    uint64            `json:"seed"`
	Verdict verdict           `json:"verdict"`
	Hashes  map[string]string `json:"trace_hashes"` // by setting
	Parting string            `json:"parting,omitempty"`

	hash string // where all agree
}

// metaRun is one novasim meta.
type metaRun struct {
	*worldFlags
	seeds    seedRange
	settings []setting
	format   *format
	dir      string // for traces
}

func parseMeta(e Env, args []string) (*metaRun, error) {
	f := newFlags(e, "meta", metaUsage)
	m := &metaRun{}
	seed := f.Uint64("seed", 1, "the `seed`")
	other := f.String("other", "", "run the seed in this build of novasim too: the path of a `program`")
	f.Var(&m.seeds, "seeds", "several seeds, one after the other: `A..B`")
	m.format = f.format()
	m.worldFlags = newWorldFlags(f)
	if err := m.parse(args); err != nil {
		return nil, err
	}
	switch {
	case f.NArg() > 0:
		return nil, usagef("novasim meta -h", "nothing may follow the flags: %q", f.Arg(0))
	case f.given("seeds") && f.given("seed"):
		return nil, usagef("novasim meta -h", "-seed and -seeds exclude each other")
	case !f.given("seeds"):
		m.seeds = seedRange{*seed, *seed}
	}
	m.settings = []setting{
		{"GOMAXPROCS=1 GOGC=30", e.Program, []string{"GOMAXPROCS=1", "GOGC=30"}},
		{"GOMAXPROCS=2 GOGC=400", e.Program, []string{"GOMAXPROCS=2", "GOGC=400"}},
	}
	if *other != "" {
		if _, err := exec.LookPath(*other); err != nil {
			return nil, usagef("novasim meta -other out/novasim.race", "-other: %v", err)
		}
		m.settings = append(m.settings, setting{*other, *other, nil})
	}
	return m, nil
}

func runMeta(ctx context.Context, e Env, args []string) error {
	m, err := parseMeta(e, args)
	if err != nil {
		return err
	}
	if m.dir, err = os.MkdirTemp("", "novasim-meta-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(m.dir) }() // of no use any more
	began, seed := time.Now(), m.seeds.from
	p := follow(e, func() string {
		return fmt.Sprintf("comparing %d processes, %v", len(m.settings), time.Since(began).Round(time.Second))
	})
	defer p.Stop()
	var all []comparison
	worst := passed
	for ; ; seed++ {
		c, err := m.compare(ctx, seed)
		if err != nil {
			return err
		}
		if c.Verdict == failed {
			worst = failed
		}
		all = append(all, c)
		if *m.format == text {
			p.Print(func() { m.text(e, c) })
		}
		if seed == m.seeds.to {
			break
		}
	}
	if *m.format != text {
		return besides(worst.err(), writeAll(*m.format, e.Stdout, all))
	}
	return worst.err()
}

// compare runs one seed in every setting.
func (m *metaRun) compare(ctx context.Context, seed uint64) (comparison, error) {
	c := comparison{Seed: seed, Verdict: passed, Hashes: map[string]string{}}
	hashes := make([]string, len(m.settings))
	err := m.each(func(i int) error {
		var err error
		hashes[i], err = m.child(ctx, seed, m.settings[i], nil)
		return err
	})
	if err != nil {
		return c, err
	}
	c.hash = hashes[0]
	for i, s := range m.settings {
		c.Hashes[s.name] = hashes[i]
		if hashes[i] != hashes[0] && c.Verdict == passed {
			c.Verdict = failed
			if c.Parting, err = m.parting(ctx, seed, m.settings[0], s); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

// child runs one seed in a process of its own and gives its trace hash.
func (m *metaRun) child(ctx context.Context, seed uint64, s setting, more []string) (string, error) {
	args := []string{"-seed", strconv.FormatUint(seed, 10), "-o", "json", "-out", m.dir}
	args = append(append(args, m.args()...), more...)
	stdout, err := m.env.Child(ctx, s.program, args, s.env)
	var v view
	switch {
	case errors.Is(err, errInterrupted):
		return "", err
	case err == nil && (json.Unmarshal(stdout, &v) != nil || v.TraceHash == ""):
		err = fmt.Errorf("%s %s: its output is no report of novasim", s.program, strings.Join(args, " "))
	}
	if err != nil {
		return "", &usageError{err.Error(), "try: " + s.program + " -seed 1 -duration 1s, to see whether it runs, and is a build of novasim"}
	}
	return v.TraceHash, nil
}

// parting finds the first event at which two settings part.
func (m *metaRun) parting(ctx context.Context, seed uint64, one, other setting) (string, error) {
	both := []setting{one, other}
	files := []string{filepath.Join(m.dir, "one.txt"), filepath.Join(m.dir, "other.txt")}
	err := inParallel(2, func(i int) error {
		_, err := m.child(ctx, seed, both[i], []string{"-trace", files[i]})
		return err
	})
	if err != nil {
		return "", err
	}
	return firstDifference(files[0], files[1], one.name, other.name)
}

func (m *metaRun) each(do func(i int) error) error { return inParallel(len(m.settings), do) }

func (m *metaRun) text(e Env, c comparison) {
	if c.Verdict == passed {
		fmt.Fprintf(e.Stdout, "seed %-6d %s in each of %d processes\n", c.Seed, c.hash, len(m.settings))
		return
	}
	fmt.Fprintf(e.Stdout, "seed %-6d FAILED: the run is not a function of its seed\n", c.Seed)
	for _, s := range m.settings {
		fmt.Fprintf(e.Stdout, "  %s with %s\n", c.Hashes[s.name], plain(s.name))
	}
	fmt.Fprintf(e.Stdout, "  %s\n  repeat:   novasim meta -seed %d%s\n", plainLines(c.Parting), c.Seed, joined(m.args()))
}
