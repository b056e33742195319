package client

import (
	"context"
	"slices"
	"sync"

	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
)

// session is a producer whose batches are written down.
type session struct {
	peer.Session
	client *Recorded
	stream peer.StreamName

	mu    sync.Mutex
	under []op // sent, in order, without an outcome
}

// Send sends a batch.
func (s *session) Send(ctx context.Context, batch peer.Batch) error {
	if len(batch.Records) == 0 {
		return s.Session.Send(ctx, batch) // it is refused, and is no append
	}
	o := s.client.invoke(s.stream, record.Append(s.stream, batch, s.Opened().Token))
	s.mu.Lock()
	s.under = append(s.under, o) // its outcome may come before Send returns
	s.mu.Unlock()
	err := s.Session.Send(ctx, batch)
	if err != nil {
		s.fail(o)
	}
	return err
}

// fail writes that nobody knows what became of the batch whose sending failed. Those before it still have outcomes to come: an
// exactly-once producer goes on, and a session that ended tells them by the error of Recv.
func (s *session) fail(o op) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := slices.Index(s.under, o); at >= 0 {
		o.done(record.Unknown(peer.Indeterminate))
		s.under = slices.Delete(s.under, at, at+1)
	}
}

// Recv waits for the oldest outcome.
func (s *session) Recv(ctx context.Context) (peer.Ack, error) {
	ack, err := s.Session.Recv(ctx)
	if err != nil {
		if ctx.Err() == nil {
			s.end()
		}
		return ack, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.under) == 0 {
		return ack, nil
	}
	op := s.under[0]
	s.under = s.under[1:]
	if ack.Err != nil {
		op.refused(ack.Err)
	} else {
		op.done(record.Acked(ack))
	}
	return ack, nil
}

// Close gives the handle back. What has no outcome by then stays without one.
func (s *session) Close(ctx context.Context) error {
	err := s.Session.Close(ctx)
	s.end()
	return err
}

// end writes that nobody knows what became of what is under way.
func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, op := range s.under {
		op.done(record.Unknown(peer.Indeterminate))
	}
	s.under = nil
}
