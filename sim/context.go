package sim

import (
	"context"
	"time"
)

// Context is a context.Context whose deadline runs on the clock of the process that made it.
type Context struct {
	process  *Process
	parent   *Context
	children *Context // the first; the others follow by next
	next     *Context // among its parent's children
	prev     *Context
	waiters  *Task // the first; the others follow by Task.ctxNext
	err      error
	deadline time.Duration // on the process's monotonic clock
	limited  bool
	timer    TimerID
	done     chan struct{}   //nova:allow chan context.Context asks for one; no task of the core waits on it
	value    context.Context // a foreign parent, for its values
}

type contextKey struct{}

// contextOf finds the simulated context that governs ctx: itself, or the nearest below foreign wrappers. A wholly foreign
// context is one that never ends.
func contextOf(ctx context.Context) *Context {
	if c, ok := ctx.(*Context); ok {
		return c
	}
	c, _ := ctx.Value(contextKey{}).(*Context)
	return c
}

// Done is closed when the context ends. Core code has no use for it; it is made only when asked for.
//
//nova:allow chan context.Context asks for one
func (c *Context) Done() <-chan struct{} {
	if c.done == nil {
		c.done = make(chan struct{}) //nova:allow chan context.Context asks for one
		if c.err != nil {
			c.closeDone()
		}
	}
	return c.done
}

func (c *Context) closeDone() { close(c.done) } //nova:allow chan it is how a context says that it ended

// Err is nil until the context ends.
func (c *Context) Err() error { return c.err }

// Deadline is the end of the context as the process's wall clock will show it, unless the clock jumps.
func (c *Context) Deadline() (time.Time, bool) {
	limit, limited := c.limit()
	if !limited {
		return time.Time{}, false
	}
	return c.process.Now().Add(limit - c.process.Elapsed()), true
}

// limit is the earliest deadline up to the root.
func (c *Context) limit() (limit time.Duration, limited bool) {
	for ; c != nil; c = c.parent {
		if c.limited && (!limited || c.deadline < limit) {
			limit, limited = c.deadline, true
		}
	}
	return limit, limited
}

// Value is the parent's value.
func (c *Context) Value(key any) any {
	if key == (contextKey{}) {
		return c
	}
	for ; c != nil; c = c.parent {
		if c.value != nil {
			return c.value.Value(key)
		}
	}
	return nil
}

// derive makes a child of any context.
func (p *Process) derive(parent context.Context) *Context {
	c := &Context{process: p}
	up := contextOf(parent)
	if _, own := parent.(*Context); !own {
		c.value = parent
	}
	if up == nil {
		return c
	}
	if up.err != nil {
		c.err = up.err
		return c
	}
	c.parent, c.next = up, up.children
	if c.next != nil {
		c.next.prev = c
	}
	up.children = c
	return c
}

// cancel ends the context and everything below it; the first reason stays.
func (c *Context) cancel(reason error) {
	if c.err != nil {
		return
	}
	c.end(reason)
	if c.parent == nil {
		return
	}
	if c.next != nil {
		c.next.prev = c.prev
	}
	if c.prev != nil {
		c.prev.next = c.next
	} else {
		c.parent.children = c.next
	}
	c.next, c.prev = nil, nil
}

func (c *Context) end(reason error) {
	c.err = reason
	if c.done != nil {
		c.closeDone()
	}
	w := c.process.world
	if c.timer.gen != 0 {
		w.timers.remove(c.timer)
		c.timer = TimerID{}
	}
	for c.waiters != nil {
		w.wake(c.waiters, reason)
	}
	for child := c.children; child != nil; {
		next := child.next
		child.next, child.prev = nil, nil
		child.end(reason)
		child = next
	}
	c.children = nil
}

// Fire is the deadline.
func (c *Context) Fire(uint32) {
	c.timer = TimerID{}
	if left := c.deadline - c.process.Elapsed(); left > 0 { // the clock was slowed since
		c.timer = c.process.world.AfterEvent(c.process.clock.real(left), c, 0)
		return
	}
	c.cancel(context.DeadlineExceeded)
}

func (c *Context) addWaiter(t *Task) {
	t.waitCtx, t.ctxNext, t.ctxPrev = c, c.waiters, nil
	if t.ctxNext != nil {
		t.ctxNext.ctxPrev = t
	}
	c.waiters = t
}

func (c *Context) dropWaiter(t *Task) {
	if t.ctxNext != nil {
		t.ctxNext.ctxPrev = t.ctxPrev
	}
	if t.ctxPrev != nil {
		t.ctxPrev.ctxNext = t.ctxNext
	} else {
		c.waiters = t.ctxNext
	}
	t.waitCtx, t.ctxNext, t.ctxPrev = nil, nil, nil
}
