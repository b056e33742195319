package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// sameRequest is how soon after the first signal another one of its kind is that same request: what stops a process may signal
// it and its group, or a terminal its children and a wrapper that passes the signal on.
const sameRequest = 200 * time.Millisecond

// stopSignals answers a context that ends at the first signal, and a channel that is closed at the second. A third one ends
// the process as usual.
func stopSignals(ctx context.Context) (serving context.Context, again <-chan struct{}) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return stopRequests(ctx, signals, time.Now, func() { signal.Stop(signals) })
}

// stopRequests tells requests to stop from the signals that came. It calls enough at the second, before it says so.
func stopRequests(ctx context.Context, signals <-chan os.Signal, now func() time.Time, enough func()) (serving context.Context, again <-chan struct{}) {
	serving, cancel := context.WithCancel(ctx)
	second := make(chan struct{})
	go func() {
		first := <-signals
		at := now()
		cancel()
		for s := range signals {
			if s != first || now().Sub(at) >= sameRequest {
				break
			}
		}
		enough()
		close(second)
	}()
	return serving, second
}

// stopping is the context of a stop: it ends with the budget, or at a second signal.
func (a *app) stopping(ctx context.Context, budget time.Duration, again <-chan struct{}) (context.Context, context.CancelFunc) {
	a.announce("finishing every stream, for at most %v; a second signal skips that", budget)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), budget)
	go func() {
		select {
		case <-again:
			a.announce("going straight to close")
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
