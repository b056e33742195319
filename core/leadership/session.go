package leadership

import (
	"context"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// Session is one producer handle on a leadership.
type Session struct {
	l       *Leadership
	opened  peer.Opened
	queue   []*answer // batches in the order of Send, undecided or not yet received
	bytes   int       // unacknowledged
	changed run.Signal
	held    bool        // it takes nothing for now
	ended   *peer.Error // why it takes nothing more
	closed  bool
}

var _ peer.Session = (*Session)(nil)

// answer is the outcome of one batch, when it is known.
type answer struct {
	decided bool
	ack     peer.Ack
}

// newSession makes a handle on the leadership, which is counted already.
func (l *Leadership) newSession() *Session {
	s := &Session{l: l, changed: l.m.env.Run.NewSignal()}
	s.opened = peer.Opened{
		StreamID: string(l.id), Star: string(l.m.env.Star), Addr: l.m.cfg.Addr, Epoch: uint64(l.epoch),
		Token: l.token, Mode: peer.Mode(l.mode), Next: uint64(l.next),
	}
	l.sessions = append(l.sessions, s)
	return s
}

// Opened tells what the open found.
func (s *Session) Opened() peer.Opened { return s.opened }

// Send sequences one batch, once the session's window and the star's budget have room.
func (s *Session) Send(ctx context.Context, batch peer.Batch) error {
	m := s.l.m
	size, refused := m.check(s.l.name, batch)
	for s.ended == nil && (s.held || refused == nil && s.full(size)) {
		if err := m.waitForRoom(ctx, s, size); err != nil {
			return err
		}
	}
	if s.ended != nil {
		return s.ended
	}
	a := &answer{}
	s.queue = append(s.queue, a)
	if refused != nil {
		s.decide(a, peer.Ack{Err: refused})
		return nil
	}
	s.l.sequence(s, a, batch, size)
	return nil
}

// full says whether size more bytes must wait; an empty window takes any batch.
func (s *Session) full(size int) bool {
	return s.bytes > 0 && s.bytes+size > s.l.m.cfg.Limits.WindowBytes || s.l.m.crowded(size)
}

// crowded says whether the star holds too much that refs do not cover yet; an empty star takes any batch.
func (m *Manager) crowded(size int) bool {
	return m.retained > 0 && m.retained+size > m.cfg.Limits.RetainedBytes
}

func (m *Manager) waitForRoom(ctx context.Context, s *Session, size int) error {
	if !s.held && m.crowded(size) {
		return m.relieved.Wait(ctx)
	}
	return s.changed.Wait(ctx)
}

// Recv waits for the outcome of the oldest unanswered batch.
func (s *Session) Recv(ctx context.Context) (peer.Ack, error) {
	for {
		if len(s.queue) > 0 && s.queue[0].decided {
			ack := s.queue[0].ack
			s.queue = s.queue[1:]
			return ack, nil
		}
		if len(s.queue) == 0 && s.ended != nil {
			return peer.Ack{}, s.ended
		}
		if err := s.changed.Wait(ctx); err != nil {
			return peer.Ack{}, err
		}
	}
}

// Close gives the handle back.
func (s *Session) Close(context.Context) error {
	if s.closed {
		return nil
	}
	s.closed = true
	s.end(&peer.Error{Code: peer.NotAppended, What: streamWhat(s.l.name), Reason: "the session is closed", Try: "open a new one"})
	s.l.m.sessions--
	s.l.release(s)
	return nil
}

// hold makes the session take nothing until it is lifted. Nobody may be held where there is no session.
func (s *Session) hold(held bool) {
	if s != nil {
		s.held = held
		s.changed.Broadcast()
	}
}

// end makes the session take nothing more; what it sent is still answered.
func (s *Session) end(why *peer.Error) {
	if s.ended == nil {
		s.ended = why
	}
	s.changed.Broadcast()
	s.l.m.relieved.Broadcast() // a Send that waits for the star's budget looks again
}

// decide records the outcome of a batch.
func (s *Session) decide(a *answer, ack peer.Ack) {
	a.decided, a.ack = true, ack
	s.changed.Broadcast()
}

// ackOf is what a producer is told of a batch that was sequenced at first and decided so.
func ackOf(name peer.StreamName, first, next uint64, outcome chain.Outcome) peer.Ack {
	switch outcome {
	case chain.Durable:
		return peer.Ack{First: first, Next: next}
	case chain.NotAppended:
		return peer.Ack{Err: &peer.Error{
			Code: peer.NotAppended, What: streamWhat(name),
			Reason: "the leadership ended before the batch became part of the stream", Try: "send it again; it cannot appear twice",
		}}
	default:
		return peer.Ack{Err: &peer.Error{
			Code: peer.Indeterminate, What: streamWhat(name),
			Reason: "the star stopped before it knew what became of the batch", Try: "read the tail to find out, or append with a match seq",
		}}
	}
}
