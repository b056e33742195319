package client

import (
	"context"
	"errors"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// ProducerOptions say how a producer opens its stream and what it does about lost outcomes.
type ProducerOptions struct {
	Create bool   // create the stream where its bucket allows that
	Token  uint64 // Fenced streams: the fencing token; 0 takes the next one
	// ExactlyOnce makes the producer find out what became of batches whose outcome was lost: it reopens, reads the
	// confirmed tail, compares, and goes on without loss or duplicate where it is the only writer (a Fenced stream). Where it
	// is not, what cannot be told ends as Indeterminate. Every batch is sent with the seq it expects: one that meets another
	// tail, because other producers wrote or a batch before it was refused, ends as NotAppended.
	ExactlyOnce bool
}

// Producer appends to one stream. One task sends and one receives.
type Producer struct {
	c       *Client
	stream  peer.StreamName
	opts    ProducerOptions
	opened  peer.Opened
	session peer.Session // nil while there is none
	pending []*pending   // without an outcome, in order
	sent    int          // how many of them the session was given
	answers []peer.Ack   // outcomes that Recv has not given yet
	tail    uint64       // ExactlyOnce: the end of the stream behind what has an outcome
	busy    bool         // a task opens or sends
	closes  int          // how often Close was called
	changed run.Signal
}

// OpenProducer opens a producer handle.
func (c *Client) OpenProducer(ctx context.Context, stream peer.StreamName, opts ProducerOptions) (*Producer, error) {
	p := &Producer{c: c, stream: stream, opts: opts, changed: c.cfg.Run.NewSignal()}
	if err := p.open(ctx); err != nil {
		return nil, err
	}
	p.tail = p.opened.Next
	return p, nil
}

// Opened tells what the latest open found.
func (p *Producer) Opened() peer.Opened { return p.opened }

// open gets a session. A producer that had a token keeps it.
func (p *Producer) open(ctx context.Context) error {
	token := max(p.opts.Token, p.opened.Token)
	return p.c.onStream(ctx, p.stream, func(star peer.Star) error {
		s, err := star.OpenSession(ctx, peer.OpenRequest{Stream: p.stream, Create: p.opts.Create, Token: token})
		if err != nil {
			return err
		}
		if p.opened.StreamID != "" && p.opened.StreamID != s.Opened().StreamID {
			_ = s.Close(ctx) // it is not wanted
			return replaced(p.stream)
		}
		p.session, p.sent, p.opened = s, 0, s.Opened()
		return nil
	})
}

// replaced is the refusal to go on in a stream that has the name of the one that was opened.
func replaced(stream peer.StreamName) *peer.Error {
	return &peer.Error{
		Code: peer.NotFound, What: "stream " + stream.String(),
		Reason: "the stream that the producer opened was deleted; another has its name now", Try: "open a new producer, if it is meant",
	}
}

// Append sends one batch and waits for its outcome. What is known not to be appended, for a reason that ends by itself, is
// sent again until ctx ends. The error is the batch's; one that is or holds no *peer.Error of a definite code leaves open
// whether the batch is in the stream. Append is not to be mixed with Send: outcomes that Recv has not given would be taken
// for this batch's.
func (p *Producer) Append(ctx context.Context, batch peer.Batch) (peer.Ack, error) {
	for tries := backoff.New(p.c.cfg.Run, backoff.Rows); ; {
		if err := p.Send(ctx, batch); err != nil {
			return peer.Ack{}, notTaken(p.stream, err)
		}
		ack, err := p.Recv(ctx)
		if err != nil {
			if p.c.cfg.Bugs.Has(planted.OutcomeShifts) {
				return ack, err
			}
			_ = p.Close(ctx) // an outcome that came later would be taken for the next batch's
			return ack, indeterminate(p.stream, "no answer came for a batch that was sent", err)
		}
		if ack.Err == nil {
			return ack, nil
		}
		if !ack.Err.Code.Definite() && !p.c.cfg.Bugs.Has(planted.AppendTwice) || !again(ack.Err) || tries.Wait(ctx) != nil {
			return ack, ack.Err
		}
	}
}

// Send hands over one batch; outcomes come from Recv in the order of Send. An error means that the batch was not taken and
// is not part of the stream.
func (p *Producer) Send(ctx context.Context, batch peer.Batch) error {
	if err := p.lock(ctx); err != nil {
		return err
	}
	defer p.unlock()
	if p.session == nil {
		if err := p.reopen(ctx); err != nil {
			return err
		}
	}
	entry := p.expect(batch)
	p.pending = append(p.pending, entry)
	err := p.push(ctx)
	if last := len(p.pending) - 1; err != nil && p.sent <= last && p.pending[last] == entry {
		p.pending = p.pending[:last] // no session was given it
		return err
	}
	return nil // where the session failed with it, Recv tells what became of it
}

// push gives the session what it was not given yet. A batch counts as sent before its sending ends, and where that fails: it
// may have left. Where the session fails, Recv finds out and resolves what it had. The error is ctx's.
func (p *Producer) push(ctx context.Context) error {
	for p.session != nil && p.sent < len(p.pending) {
		s := p.session
		batch := p.pending[p.sent].batch
		p.sent++
		p.changed.Broadcast()
		err := s.Send(ctx, batch)
		if p.session != s {
			return nil // Recv has seen the session fail
		}
		if err != nil {
			return ctx.Err()
		}
	}
	return nil
}

// Recv waits for the outcome of the oldest batch without one. A failed batch is told as Ack.Err; the error is the context's,
// or says that the producer cannot go on.
func (p *Producer) Recv(ctx context.Context) (peer.Ack, error) {
	for closes := p.closes; ; {
		switch {
		case len(p.answers) > 0:
			ack := p.answers[0]
			p.answers = p.answers[1:]
			return ack, nil
		case p.closes != closes:
			return peer.Ack{}, p.closedError()
		case p.session == nil && len(p.pending) > 0:
			if err := p.resume(ctx); err != nil && len(p.answers) == 0 {
				return peer.Ack{}, err
			}
		case p.sent == 0:
			if err := p.changed.Wait(ctx); err != nil {
				return peer.Ack{}, err
			}
		default:
			if err := p.hear(ctx); err != nil {
				return peer.Ack{}, err
			}
		}
	}
}

// hear takes what the session says next. The error is ctx's.
func (p *Producer) hear(ctx context.Context) error {
	s := p.session
	ack, err := s.Recv(ctx)
	switch {
	case p.session != s: // closed, or replaced
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		p.failed(ctx, err)
	case p.lost(ack):
		p.failed(ctx, ack.Err)
	default:
		p.answer(ack)
	}
	return nil
}

// failed ends the session. What becomes of the batches that it had is told by the cause, or found out by resume.
func (p *Producer) failed(ctx context.Context, cause error) {
	s := p.session
	p.session = nil
	outcome := outcomeOf(p.stream, cause)
	if p.c.cfg.Bugs.Has(planted.BreakIsDefinite) {
		outcome.Code = peer.NotAppended
	}
	if outcome.Code == peer.Fenced { // the star refused what this session alone was given
		p.answerAll(func(b *pending) *peer.Error {
			if b.given {
				return indeterminate(p.stream, "a newer producer took over before the outcome was known", cause)
			}
			return outcome
		})
	}
	for i, b := range p.pending {
		b.given = b.given || i < p.sent
	}
	p.sent = 0
	delete(p.c.holders, p.stream)
	if !p.opts.ExactlyOnce || !p.alone() && outcome.Code.Definite() {
		p.answerAll(func(*pending) *peer.Error { return outcome })
	}
	p.changed.Broadcast()
	_ = s.Close(ctx) // it failed: nothing is left to give back
}

// outcomeOf is what a failed session says of the batches it had.
func outcomeOf(stream peer.StreamName, cause error) *peer.Error {
	var e *peer.Error
	if errors.As(cause, &e) && e.Code != peer.Internal {
		return e
	}
	return indeterminate(stream, "the session broke", cause)
}

// Close gives the handle back. Outcomes not received by then are lost to the caller; a Recv that waits for one fails. A
// closed producer opens again with the next Send.
func (p *Producer) Close(ctx context.Context) error {
	s := p.session
	p.session, p.sent, p.pending, p.answers = nil, 0, nil, nil
	p.closes++
	p.changed.Broadcast()
	if s == nil {
		return nil
	}
	return s.Close(ctx)
}

func (p *Producer) closedError() *peer.Error {
	return &peer.Error{Code: peer.Invalid, What: "producer of stream " + p.stream.String(), Reason: "it was closed meanwhile", Try: "receive before closing"}
}

func (p *Producer) lock(ctx context.Context) error {
	for p.busy {
		if err := p.changed.Wait(ctx); err != nil {
			return err
		}
	}
	p.busy = true
	return nil
}

func (p *Producer) unlock() {
	p.busy = false
	p.changed.Broadcast()
}

// indeterminate is the outcome of a batch that nobody can tell.
func indeterminate(stream peer.StreamName, reason string, cause error) *peer.Error {
	return &peer.Error{
		Code: peer.Indeterminate, What: "stream " + stream.String(), Reason: reason, Err: cause,
		Try: "read the stream from the seqs in question",
	}
}

// notTaken is the outcome of a batch that was never sent.
func notTaken(stream peer.StreamName, cause error) error {
	var e *peer.Error
	if errors.As(cause, &e) {
		return cause
	}
	return &peer.Error{Code: peer.NotAppended, What: "stream " + stream.String(), Reason: "it was not sent", Err: cause, Try: "send it again"}
}
