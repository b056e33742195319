package iotest

import (
	"context"
	"slices"
	"time"
)

// RuntimeHarness is what a case of a runtime is given.
type RuntimeHarness struct{ Harness }

// Runtime is the suite of package run.
func Runtime() []Case[RuntimeHarness] {
	return slices.Concat([]Case[RuntimeHarness]{
		{"tasks/run on the root context", caseRunTasks},
		{"tasks/hold the baton between waits", caseRunBaton},
		{"tasks/start tasks", caseRunNested},
		{"time/clocks", caseRunClocks},
		{"time/sleepers wake in order", caseRunSleepOrder},
		{"time/a sleep of nothing yields", caseRunYield},
		{"time/sleeps end with their context", caseRunSleepEnds},
		{"offload/is done when it returns", caseRunOffload},
		{"others/randomness and notes", caseRunOthers},
	}, runtimeSignalCases(), runtimeContextCases())
}

func caseRunTasks(h RuntimeHarness) {
	started := false
	done := h.Run.NewSignal()
	h.Run.Go("task", func(ctx context.Context) {
		started = true
		if ctx.Err() != nil || h.Run.Context().Err() != nil {
			h.T.Errorf("a task of a running process has an ended context")
		}
		done.Broadcast()
	})
	if started {
		h.fatalf("a task ran before the baton came to it")
	}
	h.must(done.Wait(h.Ctx), "wait")
	if !started {
		h.fatalf("the task did not run")
	}
}

// Sixteen tasks add to a counter in two steps that a second task between them would spoil.
func caseRunBaton(h RuntimeHarness) {
	const tasks, turns = 16, 50
	counter, inside := 0, 0
	h.together(tasks, func(ctx context.Context, i int) {
		for turn := range turns {
			inside++
			read := counter
			if inside != 1 {
				h.fatalf("%d tasks run at once", inside)
			}
			counter = read + 1
			inside--
			switch (i + turn) % 3 {
			case 0:
				h.must(h.Run.Sleep(ctx, 0), "yield")
			case 1:
				h.must(h.Run.Sleep(ctx, 10*time.Microsecond), "sleep")
			default:
				h.Run.Offload(ctx, func() {})
			}
		}
	})
	if counter != tasks*turns {
		h.fatalf("counter is at %d after %d increments", counter, tasks*turns)
	}
}

func caseRunNested(h RuntimeHarness) {
	ran := 0
	h.together(4, func(context.Context, int) {
		done := h.Run.NewSignal()
		left := 4
		for range 4 {
			h.Run.Go("inner", func(context.Context) {
				ran++
				left--
				done.Broadcast()
			})
		}
		for left > 0 {
			h.must(done.Wait(h.Ctx), "wait")
		}
	})
	if ran != 16 {
		h.fatalf("%d of 16 inner tasks ran", ran)
	}
}

func caseRunClocks(h RuntimeHarness) {
	const nap = 5 * time.Millisecond
	wall, mono := h.Run.Now(), h.Run.Elapsed()
	if wall.IsZero() {
		h.fatalf("the wall clock shows nothing")
	}
	for range 5 {
		before := h.Run.Elapsed()
		h.must(h.Run.Sleep(h.Ctx, nap), "sleep")
		if slept := h.Run.Elapsed() - before; slept < nap {
			h.fatalf("slept %v of %v", slept, nap)
		}
	}
	if h.Run.Elapsed() < mono+5*nap {
		h.fatalf("the monotonic clock went from %v to %v over %v of sleep", mono, h.Run.Elapsed(), 5*nap)
	}
}

func caseRunSleepOrder(h RuntimeHarness) {
	var order []int
	naps := []int{4, 1, 5, 2, 3}
	h.together(len(naps), func(ctx context.Context, i int) {
		h.must(h.Run.Sleep(ctx, time.Duration(naps[i])*40*time.Millisecond), "sleep")
		order = append(order, naps[i])
	})
	if !slices.IsSorted(order) {
		h.fatalf("sleepers woke in the order %v", order)
	}
}

func caseRunYield(h RuntimeHarness) {
	turn := false
	h.Run.Go("other", func(context.Context) { turn = true })
	const patience = 1_000_000
	for range patience {
		if turn {
			return
		}
		h.must(h.Run.Sleep(h.Ctx, 0), "yield")
	}
	h.fatalf("another task did not have its turn in %d yields", patience)
}

func caseRunSleepEnds(h RuntimeHarness) {
	ctx, cancel := h.Run.WithCancel(h.Ctx)
	h.Run.Go("canceller", func(context.Context) { cancel() })
	before := h.Run.Elapsed()
	h.wants(h.Run.Sleep(ctx, time.Hour), "sleep in a context that is cancelled", context.Canceled)
	h.wants(h.Run.Sleep(ctx, time.Hour), "sleep in an ended context", context.Canceled)
	ctx, cancel = h.Run.WithTimeout(h.Ctx, 10*time.Millisecond)
	defer cancel()
	h.wants(h.Run.Sleep(ctx, time.Hour), "sleep in a context that times out", context.DeadlineExceeded)
	if waited := h.Run.Elapsed() - before; waited >= time.Hour {
		h.fatalf("the sleeps lasted %v", waited)
	}
}

func caseRunOffload(h RuntimeHarness) {
	sums := make([]int, 8)
	h.together(len(sums), func(ctx context.Context, i int) {
		sum := 0
		h.Run.Offload(ctx, func() {
			for n := range 10_000 {
				sum += n
			}
		})
		sums[i] = sum
	})
	for i, sum := range sums {
		if sum != 49_995_000 {
			h.fatalf("offload %d gave %d", i, sum)
		}
	}
}

func caseRunOthers(h RuntimeHarness) {
	seen := map[uint64]bool{}
	for range 64 {
		seen[h.Run.Rand().Uint64()] = true
	}
	if len(seen) < 64 {
		h.fatalf("64 draws gave %d numbers", len(seen))
	}
	h.Run.Step(h.Ctx, "suite.step")
	h.Run.Note("suite noted", "case", "others", "count", 3)
}
