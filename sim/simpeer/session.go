package simpeer

import (
	"context"
	"errors"
	"time"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
	"github.com/novastream/nova/sim"
)

const (
	windowBytes  = 1 << 20         // of a session, under way or not taken by the star
	closeTimeOut = 5 * time.Second // for giving a handle back when its client is gone
)

// session is a producer session: this file is its client side, serve.go its star's.
type session struct {
	conn
	request peer.OpenRequest
	fate    sim.Fate // of the open

	// The client's.
	opening  sim.Wait
	opened   peer.Opened
	acks     []peer.Ack
	changed  run.Signal  // on every arrival
	sent     int         // batches
	answered int         // of them given to the caller
	bytes    int         // under way or not taken
	over     *peer.Error // why the session ended
	closing  bool
	ended    bool

	// The star's.
	star       serving
	serverLife context.CancelFunc
}

var _ peer.Session = (*session)(nil)

// OpenSession opens a producer handle at the star. ctx bounds the open alone.
func (r *remote) OpenSession(ctx context.Context, req peer.OpenRequest) (peer.Session, error) {
	const kind = "peer.open-session"
	p := r.process
	p.Enter()
	s := &session{request: req}
	if err := ctx.Err(); err != nil {
		s.addr = r.addr
		return nil, s.failure(false, "the context had ended", err)
	}
	s.fate = p.Effect(kind, r.addr)
	began := r.peers.world.Now()
	s.changed = p.NewNamedSignal("session at " + r.addr)
	r.peers.connect(&s.conn, p, r.addr, s, s)
	s.open(p)
	if err := p.Await(ctx, &s.opening, kind, r.addr); err != nil {
		s.hangUp()
		s.over = s.failure(true, "no answer came in time", err)
	}
	if w := r.peers.world; w.Tracing() {
		w.Emit(p.Name(), kind, "at", r.addr, "stream", req.Stream, "took", w.Now()-began, "error", textOf(s.over))
	}
	if s.over != nil {
		return nil, s.over
	}
	return s, nil
}

// open puts the request on its way.
func (s *session) open(p *sim.Process) {
	x := s.peers
	switch s.fate {
	case sim.Late:
		x.world.Hold(s.arrive)
		p.Kill()
		return
	case sim.Refused:
		s.lose()
		return
	case sim.Normal:
		if x.net.Severed(p.Name(), s.host) && x.net.Dice(p.Name()).Uint32N(2) == 0 {
			s.farDone = true
			x.world.After(x.net.Patience()/8, func() { s.refuse("it cannot be reached") })
			return
		}
		if x.net.Duplicates(p.Name()) {
			s.sendUp(s.arriveAgain)
		}
	default: // After and Lost arrive
	}
	s.sendUp(s.arrive)
	if s.fate == sim.After {
		p.Kill()
	}
}

// refuse ends an open that reached nobody.
func (s *session) refuse(reason string) {
	if !s.nearDone {
		s.end(s.failure(false, reason, nil))
	}
}

// end is the last the client hears.
func (s *session) end(over *peer.Error) {
	s.nearDone, s.ended = true, true
	s.over = over
	s.close()
	s.opening.Done()
	s.changed.Broadcast()
}

func (s *session) nearBroken(reason string) {
	s.end(s.failure(!s.opening.Answered() || s.sent > s.answered, reason, nil))
}

// Opened tells what the open found.
func (s *session) Opened() peer.Opened { return s.opened }

// Send hands over one batch.
func (s *session) Send(ctx context.Context, batch peer.Batch) error {
	p := s.from.process
	p.Enter()
	if s.peers.net.Dice(p.Name()).Uint32N(4) == 0 {
		_ = p.Sleep(ctx, 0) // a real binding may give up the baton here; an ended context shows below
	}
	size := 1
	for i := range batch.Records {
		size += len(batch.Records[i].Body) + 16
	}
	for !s.ended && s.bytes > 0 && s.bytes+size > windowBytes {
		if err := s.changed.Wait(ctx); err != nil {
			return s.abort(err)
		}
	}
	if s.ended {
		return s.failed()
	}
	if err := ctx.Err(); err != nil {
		return s.abort(err)
	}
	if batch.MatchSeq != nil {
		match := *batch.MatchSeq
		batch.MatchSeq = &match
	}
	s.sent++
	s.bytes += size
	deliver := func() { s.star.take(batch, size) }
	switch fate := p.Effect("peer.batch", s.addr); fate {
	case sim.Late:
		s.peers.world.Hold(deliver)
		p.Kill()
	case sim.Refused:
		s.lose()
	case sim.Lost:
		s.sendUp(deliver)
		s.lose()
	default:
		s.sendUp(deliver)
		if fate == sim.After {
			p.Kill()
		}
	}
	p.Enter()
	return nil
}

// Recv waits for the outcome of the oldest unanswered batch.
func (s *session) Recv(ctx context.Context) (peer.Ack, error) {
	s.from.process.Enter()
	for len(s.acks) == 0 {
		if s.ended {
			return peer.Ack{}, s.failed()
		}
		if err := s.changed.Wait(ctx); err != nil {
			return peer.Ack{}, s.abort(err)
		}
	}
	ack := s.acks[0]
	s.acks = s.acks[1:]
	s.answered++
	return ack, nil
}

// Close gives the handle back.
func (s *session) Close(ctx context.Context) error {
	p := s.from.process
	p.Enter()
	if !s.closing && !s.ended {
		s.closing = true
		s.sendUp(s.star.halfClose)
	}
	for !s.ended {
		if err := s.changed.Wait(ctx); err != nil {
			return s.abort(err)
		}
	}
	return nil
}

// abort ends the session because the caller's context ended.
func (s *session) abort(err error) error {
	s.from.process.Enter()
	if !s.ended {
		s.hangUp()
		s.ended = true
		s.over = s.failure(s.sent > s.answered, "the caller's context ended", err)
		s.changed.Broadcast()
	}
	return s.failed()
}

// failed is why the session ended. It is definite only where it holds for every batch that the caller has no answer to,
// those whose answer arrived and was not received included.
func (s *session) failed() error {
	over := *s.over
	if len(s.acks) > 0 {
		over.Code = peer.Indeterminate
	}
	return &over
}

var errClosed = errors.New("it closed the session")
