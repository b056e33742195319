package sim

import (
	"context"
	"iter"
)

type taskState uint8

const (
	taskReady taskState = iota
	taskRunning
	taskWaiting
	taskDone
)

// Task is one thread of sequential code in a process.
type Task struct {
	id      uint64
	name    string
	process *Process
	index   int // in process.tasks
	state   taskState
	mode    resumeMode
	co      *coroutine
	ctx     *Context
	fn      func(ctx context.Context)
	step    string // the last named step it passed
	last    uint64 // the last event that it wrote into the trace, where causes are asked for
	by      uint64 // the event that began or woke it since

	// What it waits on, while it waits.
	what, detail string
	since        int64
	ended        error // the context's error, when it was the context that woke it
	on           *Wait
	timer        TimerID
	waitCtx      *Context // with its neighbours among the waiters
	ctxNext      *Task
	ctxPrev      *Task
	signal       *signal // with its neighbours among the waiters
	sigNext      *Task
	sigPrev      *Task
}

type resumeMode uint8

const (
	resumeRun resumeMode = iota
	resumeUnwind
	resumeReport
)

// unwinding is the panic that ends a task of a dead process. It never leaves this package.
type unwinding struct{}

// coroutine carries tasks, one after another, so that its stack is grown once.
type coroutine struct {
	world *World
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	task  *Task
	stack string // the answer to resumeReport
}

// coroutine takes a free coroutine or makes one.
func (w *World) coroutine() *coroutine {
	if n := len(w.free); n > 0 {
		c := w.free[n-1]
		w.free = w.free[:n-1]
		return c
	}
	c := &coroutine{world: w}
	c.next, c.stop = iter.Pull(c.body)
	return c
}

// body runs task after task until the world is closed.
func (c *coroutine) body(yield func(struct{}) bool) {
	c.yield = yield
	for {
		c.carry(c.task)
		c.task = nil
		c.world.free = append(c.world.free, c)
		if !yield(struct{}{}) {
			return
		}
	}
}

// carry runs one task to its end, however it ends.
func (c *coroutine) carry(t *Task) {
	defer func() {
		v := recover()
		t.state = taskDone
		t.process.forget(t)
		if v == nil || t.mode == resumeUnwind {
			return
		}
		c.world.failPanic(t, v)
	}()
	t.fn(t.ctx)
}

// park gives up the baton until the task is resumed.
func (t *Task) park() {
	for {
		t.co.yield(struct{}{})
		switch t.mode {
		case resumeUnwind:
			panic(unwinding{})
		case resumeReport:
			t.co.stack = Stack()
			t.mode = resumeRun
		default:
			return
		}
	}
}

// unwind ends a waiting or ready task: what it deferred runs, without effect.
func (w *World) unwind(t *Task) {
	t.detach()
	if t.co == nil { // it never began
		t.state = taskDone
		t.process.forget(t)
		return
	}
	t.mode = resumeUnwind
	t.state = taskRunning
	w.resume(t)
}

// detach takes the task off everything that could wake it.
func (t *Task) detach() {
	t.on = nil
	if t.timer.gen != 0 {
		t.process.world.timers.remove(t.timer)
		t.timer = TimerID{}
	}
	if t.waitCtx != nil {
		t.waitCtx.dropWaiter(t)
	}
	if t.signal != nil {
		t.signal.drop(t)
	}
}
