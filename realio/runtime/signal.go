package runtime

import (
	"context"

	"github.com/novastream/nova/io/run"
)

// signal is guarded by the baton. All that wait for one broadcast share one channel, made by the first of them.
type signal struct {
	run  *Runtime
	next chan struct{} // closed by the next broadcast; nil while nobody waits
}

// NewSignal makes a signal of this process.
func (r *Runtime) NewSignal() run.Signal { return &signal{run: r} }

// Wait waits for the next broadcast or the end of ctx. The channel is taken before the baton is given up, so a broadcast
// after the caller's check is not lost.
func (s *signal) Wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.next == nil {
		s.next = make(chan struct{})
	}
	next := s.next
	s.run.baton.leave()
	defer s.run.baton.enter()
	select {
	case <-next:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Broadcast wakes all that wait.
func (s *signal) Broadcast() {
	if s.next != nil {
		close(s.next)
		s.next = nil
	}
}
