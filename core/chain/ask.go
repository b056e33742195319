package chain

import (
	"context"
	"time"
)

const (
	// grace is how long a fencer waits for stores that it could do without: a zone may be dark while it works.
	grace = 300 * time.Millisecond
	// askTimeout bounds one question to one store.
	askTimeout = 5 * time.Second
)

// sufficiency is what the answers that have come are good for.
type sufficiency uint8

const (
	tooFew   sufficiency = iota // wait for more
	suffices                    // good enough where the others are slow
	decides                     // more answers change nothing
)

// ask puts a question to every store at once and gives the answers, nil where none was waited for. It comes back when all
// have answered, when the answers decide, or when they suffice and the grace is over. Stores that were not waited for count
// as slow: later questions do not spend their grace on them.
func ask[T any](ctx context.Context, f *fencer, question func(ctx context.Context, i int) T, judge func([]*T) sufficiency) []*T {
	answers := make([]*T, len(f.stores))
	asking, cancel := f.env.Run.WithTimeout(ctx, askTimeout)
	came, closed := f.env.Run.NewSignal(), false
	for i := range f.stores {
		f.env.Run.Go("chain.fence", func(context.Context) {
			answer := question(asking, i)
			if !closed {
				answers[i] = &answer
				f.slow[i] = false
				came.Broadcast()
			}
		})
	}
	began := f.env.Run.Elapsed()
	for {
		missing, awaited := 0, false
		for i, answer := range answers {
			if answer == nil {
				missing++
				awaited = awaited || !f.slow[i]
			}
		}
		left := grace - (f.env.Run.Elapsed() - began)
		verdict := judge(answers)
		everybody := missing == 0
		sufficient := verdict == suffices && (!awaited || left <= 0)
		if everybody || verdict == decides || sufficient || asking.Err() != nil {
			break
		}
		if verdict == suffices {
			waiting, stop := f.env.Run.WithTimeout(asking, left)
			_ = came.Wait(waiting)
			stop()
		} else {
			_ = came.Wait(asking)
		}
	}
	closed = true
	cancel()
	for i, answer := range answers {
		late := answer == nil && f.env.Run.Elapsed()-began >= grace
		f.slow[i] = f.slow[i] || late
	}
	return answers
}
