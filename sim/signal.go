package sim

import (
	"context"

	"github.com/novastream/nova/io/run"
)

// signal is run.Signal in a simulated process.
type signal struct {
	process *Process
	name    string
	waiters []*Task
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
	t.signal, t.signalIndex = s, len(s.waiters)
	s.waiters = append(s.waiters, t)
	return p.world.block(t, c, "signal", s.name)
}

// Broadcast wakes all who wait now.
func (s *signal) Broadcast() {
	for len(s.waiters) > 0 {
		s.process.world.wake(s.waiters[len(s.waiters)-1], nil)
	}
}

// drop takes a task off the waiters.
func (s *signal) drop(t *Task) {
	last := len(s.waiters) - 1
	moved := s.waiters[last]
	s.waiters[t.signalIndex] = moved
	moved.signalIndex = t.signalIndex
	s.waiters[last] = nil
	s.waiters = s.waiters[:last]
	t.signal = nil
}

// NewNamedSignal is NewSignal with a name for reports of who waits for what.
func (p *Process) NewNamedSignal(name string) run.Signal { return &signal{process: p, name: name} }
