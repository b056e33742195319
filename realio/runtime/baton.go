package runtime

import (
	"sync"
	"sync/atomic"
	"time"
)

// baton is what makes a task the only one that runs.
type baton struct {
	mu     sync.Mutex
	waited atomic.Int64 // nanoseconds, of all that had to wait for it
}

// leave gives the baton up: the caller is about to wait.
func (b *baton) leave() { b.mu.Unlock() }

// enter takes the baton: the caller has waited, or comes from outside. It is deferred where a wait may panic, so that
// whoever unwinds does it with the baton held.
func (b *baton) enter() {
	if b.mu.TryLock() {
		return
	}
	began := time.Now()
	b.mu.Lock()
	b.waited.Add(int64(time.Since(began)))
}

// Waited is for how long tasks that could run have waited for others of the process to give the baton up, all of them
// together since New. Where it grows by more than a second in a second, the star computes as fast as one core can.
func (r *Runtime) Waited() time.Duration { return time.Duration(r.baton.waited.Load()) }
