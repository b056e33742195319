package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// ErrStopped says that the process has been told to stop and takes no more calls from outside.
var ErrStopped = errors.New("runtime: the process is stopping")

// StopError says that tasks were still running when the budget of Stop was spent.
type StopError struct {
	Budget time.Duration
	Tasks  []string // names, sorted
}

func (e *StopError) Error() string {
	return fmt.Sprintf("runtime: still running %v after stop: %s", e.Budget, strings.Join(e.Tasks, ", "))
}

// tasks are those that run, by name. They have a lock of their own, so that any goroutine may start one.
type tasks struct {
	mu       sync.Mutex
	running  map[string]int
	stopping bool
	idle     chan struct{} // closed when stopping and none is left
	closed   bool          // idle
}

func (t *tasks) init() {
	t.running, t.idle = map[string]int{}, make(chan struct{})
}

func (t *tasks) begin(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running[name]++
}

// enter is begin for a call from outside, which is refused once the process stops.
func (t *tasks) enter(name string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stopping {
		return ErrStopped
	}
	t.running[name]++
	return nil
}

func (t *tasks) end(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running[name]--
	if t.running[name] == 0 {
		delete(t.running, name)
	}
	t.check()
}

func (t *tasks) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopping = true
	t.check()
}

func (t *tasks) check() {
	if t.stopping && len(t.running) == 0 && !t.closed {
		t.closed = true
		close(t.idle)
	}
}

func (t *tasks) names() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.running))
}

// Go starts a task on the root context. Any goroutine may call it; tasks may start others while the process stops.
func (r *Runtime) Go(name string, fn func(ctx context.Context)) {
	r.tasks.begin(name)
	go func() {
		r.baton.enter()
		defer r.baton.leave()
		r.task(r.root, name, fn)
	}()
}

// Do runs fn as a task on the caller's goroutine and context and returns when it is done. It is the way in for goroutines
// that are not tasks. ErrStopped after Stop; fn did not run then.
func (r *Runtime) Do(ctx context.Context, name string, fn func(ctx context.Context)) error {
	if err := r.tasks.enter(name); err != nil {
		return err
	}
	r.baton.enter()
	defer r.baton.leave()
	r.task(ctx, name, fn)
	return nil
}

// task runs fn with the baton held. A panic does not pass: it ends the process.
func (r *Runtime) task(ctx context.Context, name string, fn func(ctx context.Context)) {
	defer r.tasks.end(name)
	defer func() {
		if v := recover(); v != nil {
			c := Crash{Task: name, Value: v, Stack: debug.Stack()}
			r.log.Error("task panicked", "task", name, "panic", fmt.Sprint(v), "stack", string(c.Stack))
			r.crash(c)
		}
	}()
	fn(ctx)
}

// Stop cancels the root context and waits until every task has ended, for at most budget. *StopError if some have not.
// It must not be called by a task.
func (r *Runtime) Stop(budget time.Duration) error {
	r.tasks.stop()
	r.cancel()
	timer := time.NewTimer(budget)
	defer timer.Stop()
	select {
	case <-r.tasks.idle:
		return nil
	case <-timer.C:
		return &StopError{Budget: budget, Tasks: r.tasks.names()}
	}
}
