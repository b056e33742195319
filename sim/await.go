package sim

import (
	"context"
	"fmt"
)

// Wait is one answer that a task waits for. Bindings embed one in each call that is under way.
type Wait struct {
	task *Task
	done bool
}

// Done gives the answer: the task that waits for it becomes runnable. Answers that nobody waits for any more are dropped.
func (a *Wait) Done() {
	a.done = true
	if t := a.task; t != nil && t.on == a {
		t.process.world.wake(t, nil)
	}
}

// Answered says whether Done was called.
func (a *Wait) Answered() bool { return a.done }

// maxEnters bounds the io calls of one step and its looks at the clock: beyond it a task is taken to loop for ever.
const maxEnters = 1_000_000

// count counts what a task does without giving up the baton.
func (w *World) count() {
	if w.enters++; w.enters > maxEnters {
		panic(fmt.Sprintf("sim: a task made %d calls without giving up the baton: it loops, on an ended context or on one state", w.enters))
	}
}

// Enter is the first thing every io call does: it unwinds the caller if the process is dead.
func (p *Process) Enter() {
	w := p.world
	if w.current == nil {
		panic(fmt.Sprintf("sim: an io call of process %s outside of any task: use World.Do or Process.Go", p.name))
	}
	w.count()
	if p.dead {
		if w.current.process == p {
			w.current.mode = resumeUnwind
		}
		panic(unwinding{})
	}
	if w.current.process.dead {
		w.current.mode = resumeUnwind
		panic(unwinding{})
	}
}

// Await waits for an answer, or for the end of ctx, whose error it then returns. what and detail say in reports what the
// task waits for.
func (p *Process) Await(ctx context.Context, a *Wait, what, detail string) error {
	p.Enter()
	if a.done {
		return nil
	}
	c := contextOf(ctx)
	if c != nil && c.err != nil {
		return c.err
	}
	t := p.world.current
	a.task, t.on = t, a
	err := p.world.block(t, c, what, detail)
	a.task = nil
	if a.done {
		return nil
	}
	return err
}

// block parks the running task until wake; it returns the context's error when the context ended first.
func (w *World) block(t *Task, c *Context, what, detail string) error {
	t.what, t.detail, t.since, t.ended = what, detail, w.now, nil
	t.state = taskWaiting
	if c != nil {
		c.addWaiter(t)
	}
	t.park()
	return t.ended
}

// wake makes a waiting task runnable; reason is the context's error or nil.
func (w *World) wake(t *Task, reason error) {
	if t.state != taskWaiting {
		return
	}
	t.ended = reason
	if w.causal != nil {
		t.by = max(t.by, w.Cause()) // what woke it before, where it told nothing since and only its timer wakes it now
	}
	t.detach()
	w.enqueue(t)
}

// Fire is the end of a sleep.
func (t *Task) Fire(uint32) {
	t.timer = TimerID{}
	t.process.world.wake(t, nil)
}
