// Package fanout runs many like jobs at once, bounded, and waits for all of them.
package fanout

import (
	"context"
	"fmt"

	"github.com/novastream/nova/io/run"
)

// Each calls job for 0 to n-1 in up to limit tasks and returns once all have returned. Jobs are taken in order; each gets
// ctx and must end when it does. Each fails only when the process is told to stop, and then jobs may be left undone.
func Each(ctx context.Context, r run.Runtime, name string, n, limit int, job func(ctx context.Context, i int)) error {
	next, left := 0, min(n, limit)
	work := func() {
		for next < n {
			i := next
			next++
			job(ctx, i)
		}
		left--
	}
	if left == 1 {
		work()
		return nil
	}
	done := r.NewSignal()
	for range left {
		r.Go(name, func(context.Context) {
			work()
			done.Broadcast()
		})
	}
	for left > 0 {
		// Not ctx: a caller that left with it would leave jobs running.
		if err := done.Wait(r.Context()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
