package cli

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/scenario"
)

// BenchmarkGoals measures how fast worlds run, and prints each number beside its goal: by the clock on the wall, and by the
// processor time that was used, which is what a machine with nothing else to do would give.
func BenchmarkGoals(b *testing.B) {
	headroom := Headroom(os.Getenv("GOGC"))
	for b.Loop() {
		fmt.Printf("\n%-52s %12s %18s %12s\n", "", "by the clock", "by processor time", "goal")
		one := worlds(b, 1, seedRange{1, 10})
		one.print("simulated seconds per second, on one core", one.simulated.Seconds(), "1,000")
		alone := scheduler(b)
		alone.print("scheduler steps per second, the scheduler alone", float64(alone.steps), "1,000,000")
		one.print("scheduler steps per second, of those runs", float64(one.steps), "-")
		two := worlds(b, 2, seedRange{1, 20})
		two.print("seeds per minute on two cores, all checks on", 60*float64(two.seeds), "120")
	}
	runtime.KeepAlive(headroom)
}

// lap is what was done, and in which time.
type lap struct {
	speed
	processor time.Duration // that one processor would have needed, or each of several
}

func (l *lap) print(what string, done float64, goal string) {
	fmt.Printf("%-52s %12.0f %18.0f %12s\n", what, done/l.wall.Seconds(), done/l.processor.Seconds(), goal)
}

// timed runs work on so many processors.
func timed(processors int, work func(*lap)) (l lap) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	began, used := time.Now(), processorTime()
	work(&l)
	l.wall, l.processor = time.Since(began), (processorTime()-used)/time.Duration(processors)
	return l
}

func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it is our own
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// worlds runs seeds of the default scenario, as many at a time as there are processors.
func worlds(b *testing.B, processors int, seeds seedRange) lap {
	return timed(processors, func(l *lap) {
		run := func(seed uint64) (scenario.Report, error) { return simulate(scenario.Options{Seed: seed}) }
		err := inOrder(context.Background(), seeds, processors, run, func(r scenario.Report) bool {
			if len(r.Violations) > 0 {
				b.Errorf("seed %d fails: %s", r.Options.Seed, r.Violations[0].Sentence)
			}
			l.seeds++
			l.steps += r.Steps
			l.simulated += r.Simulated
			return true
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}

// scheduler steps a world in which 256 tasks sleep, and do nothing else.
func scheduler(b *testing.B) lap {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	p := w.Process("a1")
	for range 256 {
		p.Go("sleep", func(ctx context.Context) {
			for p.Sleep(ctx, time.Duration(p.Rand().IntN(1e9))) == nil {
				continue
			}
		})
	}
	return timed(1, func(l *lap) {
		for l.steps < 5_000_000 {
			if !w.Step() {
				b.Fatal("the world stands still")
			}
			l.steps++
		}
	})
}
