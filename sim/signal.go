package sim

import (
	"context"

	"github.com/novastream/nova/io/run"
)

// signal is run.Signal in a simulated process.
type signal struct {
	process *Process
	name    string
	waiters *Task // the first; the others follow by sigNext
}

// Wait waits for the next Broadcast or the end of ctx.
func (s *signal) Wait(ctx context.Context) error {
	p := s.process
	p.Enter()
	c := contextOf(ctx)
	if c != nil && c.err != nil {
		return c.err
	}
	t := p.world.current
	t.signal, t.sigNext, t.sigPrev = s, s.waiters, nil
	if t.sigNext != nil {
		t.sigNext.sigPrev = t
	}
	s.waiters = t
	return p.world.block(t, c, "signal", s.name)
}

// Broadcast wakes all who wait now.
func (s *signal) Broadcast() {
	for s.waiters != nil {
		s.process.world.wake(s.waiters, nil)
	}
}

// drop takes a task off the waiters.
func (s *signal) drop(t *Task) {
	if t.sigNext != nil {
		t.sigNext.sigPrev = t.sigPrev
	}
	if t.sigPrev != nil {
		t.sigPrev.sigNext = t.sigNext
	} else {
		s.waiters = t.sigNext
	}
	t.signal, t.sigNext, t.sigPrev = nil, nil, nil
}

// NewNamedSignal is NewSignal with a name for reports of who waits for what.
func (p *Process) NewNamedSignal(name string) run.Signal { return &signal{process: p, name: name} }
