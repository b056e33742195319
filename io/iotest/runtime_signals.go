package iotest

import (
	"context"
	"time"
)

func runtimeSignalCases() []Case[RuntimeHarness] {
	return []Case[RuntimeHarness]{
		{"signal/wakes all that wait", caseRunBroadcast},
		{"signal/is not remembered", caseRunNotRemembered},
		{"signal/loses no wake-up", caseRunPingPong},
		{"signal/waits end with their context", caseRunWaitEnds},
	}
}

func caseRunBroadcast(h RuntimeHarness) {
	const waiters = 20
	gate, ready := h.Run.NewSignal(), h.Run.NewSignal()
	open, waiting, through := false, 0, 0
	h.together(waiters+1, func(ctx context.Context, i int) {
		if i < waiters {
			waiting++
			ready.Broadcast()
			for !open {
				h.must(gate.Wait(ctx), "wait at the gate")
			}
			through++
			return
		}
		for waiting < waiters {
			h.must(ready.Wait(ctx), "wait for waiters")
		}
		if through != 0 {
			h.fatalf("%d tasks passed a closed gate", through)
		}
		open = true
		gate.Broadcast()
	})
	if through != waiters {
		h.fatalf("%d of %d tasks passed the gate", through, waiters)
	}
}

func caseRunNotRemembered(h RuntimeHarness) {
	signal := h.Run.NewSignal()
	signal.Broadcast()
	ctx, cancel := h.Run.WithTimeout(h.Ctx, 10*time.Millisecond)
	defer cancel()
	h.wants(signal.Wait(ctx), "wait after the broadcast", context.DeadlineExceeded)
}

// Two tasks take turns by one signal: a lost wake-up would leave both waiting.
func caseRunPingPong(h RuntimeHarness) {
	const turns = 1000
	signal, turn := h.Run.NewSignal(), 0
	h.together(2, func(ctx context.Context, me int) {
		for turn < turns {
			if turn%2 != me {
				h.must(signal.Wait(ctx), "wait for turn %d", turn)
				continue
			}
			turn++
			signal.Broadcast()
		}
	})
	if turn != turns {
		h.fatalf("stopped at turn %d of %d", turn, turns)
	}
}

func caseRunWaitEnds(h RuntimeHarness) {
	signal := h.Run.NewSignal()
	ctx, cancel := h.Run.WithCancel(h.Ctx)
	h.Run.Go("canceller", func(context.Context) { cancel() })
	h.wants(signal.Wait(ctx), "wait in a context that is cancelled", context.Canceled)
	h.wants(signal.Wait(ctx), "wait in an ended context", context.Canceled)
	woken := false
	h.together(2, func(ctx context.Context, i int) { // one waiter's end does not touch the others
		if i == 0 {
			h.must(signal.Wait(ctx), "wait")
			woken = true
			return
		}
		short, cancel := h.Run.WithTimeout(ctx, 5*time.Millisecond)
		defer cancel()
		h.wants(signal.Wait(short), "wait in a context that times out", context.DeadlineExceeded)
		if woken {
			h.fatalf("a waiter woke without a broadcast")
		}
		signal.Broadcast()
	})
	if !woken {
		h.fatalf("the waiter did not wake")
	}
}
