package sim

import (
	"fmt"
	"time"
)

// step takes one step: a task chosen by chance among those that can run, else the earliest event.
func (w *World) step() {
	w.steps++
	w.enters = 0
	if n := len(w.ready); n > 0 {
		i, inTurn := 0, false
		if n > 1 {
			i, inTurn = w.choose(n)
		}
		t := w.ready[i]
		if inTurn {
			copy(w.ready, w.ready[1:])
		} else {
			w.ready[i] = w.ready[n-1]
		}
		w.ready[n-1] = nil
		w.ready = w.ready[:n-1]
		if t.state == taskReady { // else it was killed meanwhile
			w.Fold(t.id)
			w.runTask(t)
		}
		w.countStep()
		return
	}
	at, ev, arg := w.timers.pop()
	if at > w.now {
		w.now = at
		w.atOnce = 0
	}
	w.Fold(uint64(at))
	w.cause = 0
	w.fire(ev, arg)
	w.countStep()
}

// fire calls an event; a panic in it is the run's failure.
func (w *World) fire(ev Event, arg uint32) {
	defer func() {
		if v := recover(); v != nil {
			w.failPanic(nil, v)
		}
	}()
	ev.Fire(arg)
}

func (w *World) countStep() {
	w.atOnce++
	if w.atOnce > w.cfg.MaxStepsAtOnce {
		w.Fail(fmt.Errorf("livelock: %d steps at the instant %v", w.atOnce, w.Now()))
	}
}

// runTask gives a ready task the baton until it waits or ends.
func (w *World) runTask(t *Task) {
	p := t.process
	if p.stopped() {
		p.stalled = append(p.stalled, t)
		return
	}
	t.state = taskRunning
	w.resume(t)
	if p.stepCost > 0 && !p.dead {
		p.stall(p.stepCost)
	}
}

// resume switches to the task's coroutine and comes back when it waits or ends.
func (w *World) resume(t *Task) {
	if t.co == nil {
		t.co = w.coroutine()
		t.co.task = t
	}
	outer := w.current
	w.current = t
	t.co.next()
	w.current = outer
}

// enqueue makes a task runnable.
func (w *World) enqueue(t *Task) {
	t.state = taskReady
	if t.process.stopped() {
		t.process.stalled = append(t.process.stalled, t)
		return
	}
	w.ready = append(w.ready, t)
}

// stopped says that tasks of the process must not run now.
func (p *Process) stopped() bool { return p.paused || p.busyUntil > p.world.now }

// stall keeps the process off the processor for d.
func (p *Process) stall(d time.Duration) {
	p.busyUntil = p.world.now + int64(d)
	p.world.AfterEvent(d, (*release)(p), 0)
}

// release lets a process's held tasks run again.
type release Process

// Fire moves the held tasks to the run queue unless the process is still held.
func (r *release) Fire(uint32) {
	p := (*Process)(r)
	if p.dead || p.stopped() {
		return
	}
	p.world.ready = append(p.world.ready, p.stalled...)
	clear(p.stalled)
	p.stalled = p.stalled[:0]
}
