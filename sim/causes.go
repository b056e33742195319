package sim

// Cause says what led to an event of a trace, by the numbers of earlier events; 0 is none.
type Cause struct {
	Event  uint64 // the number of the event itself, from 1
	Before uint64 // the event before it in the same task
	By     uint64 // the event that began or woke the task, or sent the message that arrived here
	TaskID uint64 // 0 outside of tasks
	Task   string
}

// CausalTracer is a Tracer that is told before each event what led to it.
type CausalTracer interface {
	Tracer
	Caused(Cause)
}

// because numbers the next event and says what led to it.
func (w *World) because() Cause {
	w.events++
	t := w.current
	if t == nil {
		c := Cause{Event: w.events, By: w.cause}
		w.cause = w.events
		return c
	}
	c := Cause{Event: w.events, Before: t.last, By: t.by, TaskID: t.id, Task: t.name}
	t.last, t.by = w.events, 0
	return c
}

// Cause is the number of the event that what happens now stems from; 0 where nobody asks for causes. Bindings keep it with
// what is under way, and give it back with SetCause when that arrives.
func (w *World) Cause() uint64 {
	switch t := w.current; {
	case w.causal == nil:
		return 0
	case t != nil:
		return max(t.last, t.by)
	default:
		return w.cause
	}
}

// SetCause says what the event that fires now stems from. It is of no effect in a task.
func (w *World) SetCause(event uint64) { w.cause = event }

// bearing is fn with the cause of now, where somebody asks for causes.
func (w *World) bearing(fn func()) func() {
	if w.causal == nil {
		return fn
	}
	cause := w.Cause()
	return func() {
		w.cause = cause
		fn()
	}
}

// Running is the process whose task runs now; nil outside of tasks.
func (w *World) Running() *Process {
	if w.current == nil {
		return nil
	}
	return w.current.process
}

// LastStep is the last named step of the task that runs now.
func (w *World) LastStep() string {
	if w.current == nil {
		return ""
	}
	return w.current.step
}

// Act says that a request of a task is carried out from now on, and the last named step of that task; empty ends it.
func (w *World) Act(step string) { w.acting = step }

// Acting is the last named step behind what happens now: of the task that runs, or whose request is being carried out.
func (w *World) Acting() string {
	if w.current != nil {
		return w.current.step
	}
	return w.acting
}
