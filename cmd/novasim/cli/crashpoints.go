package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/novastream/nova/sim/crashpoints"
)

// runCrashpoints is novasim crashpoints.
func runCrashpoints(ctx context.Context, e Env, args []string) error {
	c, err := parseCrashRun(e, args)
	if err != nil {
		return err
	}
	if len(c.hits) > 0 {
		return c.one(ctx, c.scenarios[0])
	}
	t := &crashTally{began: time.Now()}
	p := follow(e, t.say)
	var views []crashView
	err = c.enumerate(ctx, t, func(v crashView) {
		views = append(views, v)
		p.Print(func() { c.tell(&v) })
	})
	p.Stop()
	if err != nil {
		return err
	}
	fmt.Fprintln(e.Stderr, t.say())
	return c.finish(views)
}

// crashTally counts across stories, for the progress.
type crashTally struct {
	began                   time.Time
	tellings, pruned, fails atomic.Int64
	stories                 atomic.Int64
}

func (t *crashTally) say() string {
	took := time.Since(t.began)
	tellings := t.tellings.Load()
	return fmt.Sprintf("%d scenarios, %d tellings in %v, %d pruned, %d failed, %.0f tellings/s",
		t.stories.Load(), tellings, took.Round(10*time.Millisecond), t.pruned.Load(), t.fails.Load(), float64(tellings)/max(took.Seconds(), 1e-9))
}

// enumerate tells the stories of all scenarios, several at a time, and hands what came of each to take, in their order.
func (c *crashRun) enumerate(ctx context.Context, t *crashTally, take func(crashView)) error {
	type result struct {
		index int
		view  crashView
	}
	results := make(chan result, len(c.scenarios))
	var next atomic.Int64
	var enough atomic.Bool
	defer enough.Store(true)
	for range min(c.jobs, len(c.scenarios)) {
		go func() {
			for {
				i := int(next.Add(1) - 1)
				if i >= len(c.scenarios) {
					return
				}
				view := c.story(c.scenarios[i], t, &enough)
				results <- result{i, view}
			}
		}()
	}
	waiting := map[int]crashView{}
	for i := range c.scenarios {
		for {
			if _, there := waiting[i]; there {
				break
			}
			select {
			case r := <-results:
				waiting[r.index] = r.view
			case <-ctx.Done():
				return errInterrupted
			}
		}
		take(waiting[i])
		if len(waiting[i].Failures) > 0 && !c.keepGoing {
			return nil
		}
	}
	return nil
}

// story enumerates one scenario.
func (c *crashRun) story(s crashpoints.Scenario, t *crashTally, enough *atomic.Bool) crashView {
	var before crashpoints.Report
	report := crashpoints.Enumerate(s, c.options, crashpoints.Plan{Every: c.every, Whole: c.whole, Stop: func(r crashpoints.Report) bool {
		t.tellings.Add(int64(r.Tellings - before.Tellings))
		t.pruned.Add(int64(r.Pruned - before.Pruned))
		t.fails.Add(int64(len(r.Failures) - len(before.Failures)))
		before = r
		return enough.Load() || len(r.Failures) >= maxKept || (len(r.Failures) > 0 && !c.keepGoing)
	}})
	t.stories.Add(1)
	return c.viewOf(report)
}

// repeat is the command that tells one telling again.
func (c *crashRun) repeat(scenario string, hits []crashpoints.Hit) string {
	command := "novasim crashpoints -scenario " + scenario + " -seed " + strconv.FormatUint(c.options.Seed, 10)
	if c.bugs != "" {
		command += " -bug " + c.bugs
	}
	if len(hits) > 0 {
		command += " -hits " + hitsText(hits)
	}
	return command
}

func hitsText(hits []crashpoints.Hit) string {
	var parts []string
	for _, h := range hits {
		parts = append(parts, fmt.Sprintf("%d:%s", h.Index, h.Fate))
	}
	return strings.Join(parts, ",")
}
