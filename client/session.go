package client

import (
	"context"
	"sync"

	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
)

// session is a producer whose batches are written down. Many goroutines may share it: batches are recorded in the order in which
// they are sent, and an outcome, which comes in that order, is taken down before the next one is received.
type session struct {
	*handle
	client *Recorded

	mu    sync.Mutex
	under []*sending // in the order in which they were sent, without an outcome
	over  bool       // outcomes cannot be told apart any more
}

// sending is a batch on its way.
type sending struct {
	op
	returned chan struct{} // closed when its Send has returned
}

// Send sends a batch.
func (s *session) Send(ctx context.Context, batch peer.Batch) error {
	if len(batch.Records) == 0 || s.gone() {
		return s.handle.Send(ctx, batch) // it is refused, and is no append
	}
	if err := s.sends.take(ctx); err != nil {
		return notSent(s.stream, err)
	}
	defer s.sends.giveBack()
	b := s.begin(batch)
	defer close(b.returned)
	err := s.send(ctx, batch)
	if err != nil {
		s.fail(b)
	}
	return err
}

// begin writes that a batch is about to be sent: its outcome may come before Send returns.
func (s *session) begin(batch peer.Batch) *sending {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := &sending{s.client.invoke(s.stream, record.Append(s.stream, batch, s.Opened().Token)), make(chan struct{})}
	if s.over {
		b.done(record.Unknown(peer.Indeterminate))
	} else {
		s.under = append(s.under, b)
	}
	return b
}

// fail writes that nobody knows what became of the batch whose sending failed, which is the last. Those before it still have
// outcomes to come: an exactly-once producer goes on, and a session that ended tells them by the error of Recv.
func (s *session) fail(b *sending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.under) - 1; last >= 0 && s.under[last] == b {
		b.done(record.Unknown(peer.Indeterminate))
		s.under = s.under[:last]
	}
}

// Recv waits for the oldest outcome.
func (s *session) Recv(ctx context.Context) (peer.Ack, error) {
	if err := s.recvs.take(ctx); err != nil {
		return peer.Ack{}, err
	}
	defer s.recvs.giveBack()
	ack, err := s.recv(ctx)
	if err != nil {
		if ctx.Err() == nil {
			s.end()
		}
		return ack, err
	}
	if b := s.oldest(); b != nil {
		<-b.returned // where it failed, the outcome is not this batch's; else it is about to return, for it was answered
		s.take(b, ack)
	}
	return ack, nil
}

// oldest is the batch to which the next outcome belongs, if its Send succeeds.
func (s *session) oldest() *sending {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.under) == 0 {
		return nil
	}
	return s.under[0]
}

// take writes the outcome of the oldest batch, unless it has one.
func (s *session) take(b *sending, ack peer.Ack) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.under) == 0 || s.under[0] != b {
		return
	}
	s.under = s.under[1:]
	if ack.Err != nil {
		b.refused(ack.Err)
	} else {
		b.done(record.Acked(ack))
	}
}

// Close gives the handle back. What has no outcome by then stays without one.
func (s *session) Close(ctx context.Context) error {
	err := s.handle.Close(ctx)
	s.end()
	return err
}

// end writes that nobody knows what became of what is under way, and will not of what is sent still.
func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.under {
		b.done(record.Unknown(peer.Indeterminate))
	}
	s.under, s.over = nil, true
}
