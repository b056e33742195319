package cli

import (
	"context"
	"time"
)

// interruptBudget is how long each thing that a bench still does may take once it is interrupted: the last answers, the
// history, the deletion of its streams.
const interruptBudget = 3 * time.Second

// afterwards is the context of what a bench does even when ctx, which an interrupt ends, has ended. It ends a moment after
// ctx, or after now where ctx has ended already; and at the second interrupt at once.
func afterwards(ctx context.Context, again <-chan struct{}) (context.Context, context.CancelFunc) {
	base := context.WithoutCancel(ctx)
	after, cancel := context.WithCancel(base)
	if ctx.Err() != nil {
		cancel()
		after, cancel = context.WithTimeout(base, interruptBudget)
	}
	go func() {
		defer cancel()
		select {
		case <-ctx.Done():
		case <-again:
			return
		case <-after.Done():
			return
		}
		select {
		case <-time.After(interruptBudget):
		case <-again:
		case <-after.Done():
		}
	}()
	return after, cancel
}
