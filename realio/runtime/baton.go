package runtime

import (
	"sync"
)

// baton is what makes a task the only one that runs.
type baton struct{ mu sync.Mutex }

// leave gives the baton up: the caller is about to wait.
func (b *baton) leave() { b.mu.Unlock() }

// enter takes the baton: the caller has waited, or comes from outside. It is deferred where a wait may panic, so that
// whoever unwinds does it with the baton held.
func (b *baton) enter() { b.mu.Lock() }
