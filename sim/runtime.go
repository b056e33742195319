package sim

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/io/run"
)

// Context is the root context of the process.
func (p *Process) Context() context.Context { return p.root }

// WithCancel derives a context.
func (p *Process) WithCancel(parent context.Context) (context.Context, context.CancelFunc) {
	c := p.derive(parent)
	return c, func() { c.cancel(context.Canceled) }
}

// WithTimeout derives a context that ends after d on the process's monotonic clock.
func (p *Process) WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	c := p.derive(parent)
	if c.err == nil {
		c.limited = true
		c.deadline = p.Elapsed() + d
		if d <= 0 {
			c.cancel(context.DeadlineExceeded)
		} else {
			c.timer = p.world.AfterEvent(p.clock.real(d), c, 0)
		}
	}
	return c, func() { c.cancel(context.Canceled) }
}

// Go starts a task on the root context.
func (p *Process) Go(name string, fn func(ctx context.Context)) { p.GoOn(p.root, name, fn) }

// GoOn starts a task on a context of the process. Bindings use it to carry a call into the process.
func (p *Process) GoOn(ctx context.Context, name string, fn func(ctx context.Context)) {
	if p.dead {
		return
	}
	w := p.world
	w.taskIDs++
	c, own := ctx.(*Context)
	if !own {
		c = p.derive(ctx)
	}
	t := &Task{id: w.taskIDs, name: name, process: p, index: len(p.tasks), ctx: c, fn: fn, by: w.Cause()}
	p.tasks = append(p.tasks, t)
	w.enqueue(t)
}

// Sleep waits for d of the process's own time, or until ctx ends.
func (p *Process) Sleep(ctx context.Context, d time.Duration) error {
	p.Enter()
	c := contextOf(ctx)
	if c != nil && c.err != nil {
		return c.err
	}
	w := p.world
	t := w.current
	if d <= 0 {
		w.enqueue(t)
		t.park()
		if c != nil {
			return c.err
		}
		return nil
	}
	until := p.Elapsed() + d
	for left := d; left > 0; left = until - p.Elapsed() { // again only if the clock was slowed meanwhile
		t.timer = w.AfterEvent(p.clock.real(left), t, 0)
		if err := w.block(t, c, "sleep", ""); err != nil {
			return err
		}
	}
	return nil
}

// NewSignal makes a signal.
func (p *Process) NewSignal() run.Signal { return &signal{process: p} }

// Offload runs fn after a moment of virtual time in which other tasks of the process may run.
func (p *Process) Offload(_ context.Context, fn func()) {
	p.Enter()
	w := p.world
	t := w.current
	t.timer = w.AfterEvent(time.Duration(w.cpu.below(int(w.cfg.OffloadCost))), t, 0)
	_ = w.block(t, nil, "offload", "") // no context: it cannot end early
	fn()
}

// Rand is the process's own chance.
func (p *Process) Rand() *rand.Rand { return p.rng }

// Step counts the named point and gives the world's hooks a chance to end the process right there.
func (p *Process) Step(_ context.Context, name string) {
	p.Enter()
	w := p.world
	w.current.step = name
	w.counters.steps[name]++
	if w.Tracing() {
		w.Emit(p.name, "step", "name", name)
	}
	for _, hook := range w.onStep {
		hook(p, name)
		p.Enter()
	}
}

// Note counts a decision and writes it into the trace.
func (p *Process) Note(what string, kv ...any) {
	p.Enter()
	w := p.world
	w.counters.notes[what]++
	w.FoldString(what)
	w.Emit(p.name, what, kv...)
	for _, hook := range w.onNote {
		hook(p, what, kv)
	}
}

// OnNote adds a hook that is told every note, at its instant. It must neither wait nor change what it is told.
func (w *World) OnNote(hook func(p *Process, what string, kv []any)) {
	w.onNote = append(w.onNote, hook)
}

// OnStep adds a hook that is called at every named step. It may kill the process; it must not wait.
func (w *World) OnStep(hook func(p *Process, name string)) { w.onStep = append(w.onStep, hook) }
