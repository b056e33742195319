// Package fanout runs many like jobs at once, bounded, and waits for all of them.
package fanout

import (
	"context"

	"github.com/novastream/nova/io/run"
)

// Each calls job for 0 to n-1 in up to limit tasks and returns once all have returned. Jobs are taken in order; each gets
// ctx and must end when it does. Nothing is left running afterwards.
func Each(ctx context.Context, r run.Runtime, name string, n, limit int, job func(ctx context.Context, i int)) {
	next, left := 0, min(n, limit)
	if left == 1 {
		for i := range n {
			job(ctx, i)
		}
		return
	}
	done := r.NewSignal()
	for range left {
		r.Go(name, func(context.Context) {
			for next < n {
				i := next
				next++
				job(ctx, i)
			}
			left--
			if left == 0 {
				done.Broadcast()
			}
		})
	}
	for left > 0 {
		// The root context: jobs end with ctx, and a caller that left before them would leave them running.
		if done.Wait(r.Context()) != nil {
			return
		}
	}
}
