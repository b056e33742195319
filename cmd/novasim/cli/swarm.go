package cli

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/novastream/nova/cmd/terminal"
	"github.com/novastream/nova/sim/scenario"
)

// maxKept is how many failures of one swarm leave an artifact.
const maxKept = 10

// swarm runs many seeds.
func (r *runFlags) swarm(ctx context.Context) error {
	s := &swarm{runFlags: r, sum: newSummary(), began: time.Now()}
	s.progress = follow(r.env, s.say)
	err := inOrder(ctx, r.seeds, r.jobs, s.run, s.take)
	s.progress.Stop()
	if err != nil && !errors.Is(err, errInterrupted) {
		return err
	}
	lost := s.finish()
	s.sum.speed.wall = time.Since(s.began)
	fmt.Fprintln(r.env.Stderr, s.sum.speed)
	verdict := s.sum.verdict()
	if err != nil && !errors.Is(verdict, errFailed) {
		verdict = err // it was interrupted
	}
	return besides(verdict, lost)
}

// swarm is many runs under way.
type swarm struct {
	*runFlags
	began    time.Time
	progress *terminal.Progress
	done     atomic.Uint64 // worlds that came to their end, told or not
	broken   atomic.Uint64
	sum      *summary
	views    []view
}

func (s *swarm) run(seed uint64) (scenario.Report, error) {
	o := s.options
	o.Seed = seed
	report, err := simulate(o)
	s.done.Add(1)
	if len(report.Violations) > 0 {
		s.broken.Add(1)
	}
	return report, err
}

// say is the line of progress.
func (s *swarm) say() string {
	done, all := s.done.Load(), s.seeds.count()
	took := time.Since(s.began)
	line := fmt.Sprintf("%d of %d seeds in %v, %d failed", done, all, took.Round(time.Second), s.broken.Load())
	if done > 0 {
		left := time.Duration(float64(took) / float64(done) * float64(all-done))
		line += fmt.Sprintf(", %.1f seeds/min, about %v left", float64(done)/took.Minutes(), left.Round(time.Second))
	}
	return line
}

// take tells one run and says whether to go on.
func (s *swarm) take(report scenario.Report) bool {
	v := viewOf(report)
	if v.Verdict == failed && s.sum.verdicts[failed] < maxKept {
		s.keep(&v, report.Options)
	}
	s.sum.add(&v, report)
	s.progress.Print(func() { s.tell(&v) })
	return v.Verdict != failed || s.keepGoing
}

func (s *swarm) tell(v *view) {
	switch *s.format {
	case text:
		fmt.Fprintf(s.env.Stdout, "seed %-6d %-9s %s  %6d operations  %-14s  %s\n", v.Seed, v.Verdict, v.TraceHash, v.Witness.Operations, v.Strategy, faultsOn(v))
		if v.Verdict != passed {
			v.end(s.env.Stdout)
		}
	case jsonl:
		_ = jsonl.write(s.env.Stdout, v) // a pipe that broke is noticed by the next command
	default:
		s.views = append(s.views, *v)
	}
}

// finish tells what comes after the last seed.
func (s *swarm) finish() error {
	switch *s.format {
	case text:
		s.sum.text(s.env.Stdout)
		return nil
	case jsonl:
		return nil
	default:
		return writeAll(*s.format, s.env.Stdout, s.views)
	}
}
