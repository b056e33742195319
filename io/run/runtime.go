package run

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// Runtime is what a process of the core runs on.
type Runtime interface {
	// Now is the wall clock. It serves stamps and human display, never a decision about safety.
	Now() time.Time
	// Elapsed is the monotonic clock: every timer, time-out and budget. It starts anywhere and never goes back.
	Elapsed() time.Duration

	// Context is the root context of the process: cancelled when the process is told to stop.
	// Work that must outlive its caller runs on it.
	Context() context.Context
	// WithCancel and WithTimeout derive contexts whose deadlines run on this runtime's clock. The context package's own
	// constructors are banned from the core. Cancel functions may be called any number of times and never wait.
	WithCancel(parent context.Context) (context.Context, context.CancelFunc)
	// WithTimeout is WithCancel that also ends after d, with context.DeadlineExceeded.
	WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc)

	// Go starts a task on the root context. It does not wait; fn begins when the baton comes to it.
	Go(name string, fn func(ctx context.Context))
	// Sleep waits for d or until ctx ends; it returns nil or ctx's error. A d <= 0 yields the baton once.
	Sleep(ctx context.Context, d time.Duration) error
	// NewSignal makes a signal on which tasks of this process wait for each other.
	NewSignal() Signal
	// Offload runs fn, which is pure and long, without the baton and returns when it is done.
	Offload(ctx context.Context, fn func())

	// Rand is the process's own source of chance. Only the holder of the baton may use it.
	Rand() *rand.Rand

	// Step marks a named point of a multi-record sequence: the instant just before the effect of that name.
	// It does nothing in the real world; the simulator counts it and names crash points after it.
	Step(ctx context.Context, name string)
	// Note tells of one decision that a human would ask about later. kv alternates keys and values, as in log/slog.
	Note(what string, kv ...any)
}

// Signal lets tasks of one process wait until another says that something changed. A waiter checks its condition, and
// waits while it does not hold: with the baton held nothing can change between the check and the wait.
type Signal interface {
	// Wait returns nil after the next Broadcast, or ctx's error.
	Wait(ctx context.Context) error
	// Broadcast wakes all tasks that wait now. It never waits.
	Broadcast()
}

// InvariantError is the panic of Broken: a rule that the design proves was seen violated.
type InvariantError struct{ Text string }

func (e *InvariantError) Error() string { return "broken invariant: " + e.Text }

// Broken stops the process because going on could lose data. In the simulator it fails the seed.
func Broken(format string, args ...any) {
	panic(&InvariantError{Text: fmt.Sprintf(format, args...)})
}
