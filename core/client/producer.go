package client

import (
	"context"
	"errors"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// ProducerOptions say how a producer opens its stream and what it does about lost outcomes.
type ProducerOptions struct {
	Create bool   // create the stream where its bucket allows that
	Token  uint64 // Fenced streams: the fencing token; 0 takes the next one
	// ExactlyOnce makes the producer find out what became of batches whose outcome was lost: it reopens, reads the
	// confirmed tail, compares, and goes on without loss or duplicate where it is the only writer (a Fenced stream). Where it
	// is not, what cannot be told ends as Indeterminate. Every batch is sent with the seq it expects.
	ExactlyOnce bool
}

// Producer appends to one stream. One task sends and one receives.
type Producer struct {
	c       *Client
	stream  peer.StreamName
	opts    ProducerOptions
	opened  peer.Opened
	session peer.Session // nil while there is none
	pending []*pending   // sent or to be sent, not yet answered, in order
	sent    int          // how many of them the session has
	next    uint64       // ExactlyOnce: the seq that the next batch expects
	answers []peer.Ack   // outcomes that Recv has not given yet
	busy    bool         // a task opens or sends
	changed run.Signal
}

// pending is a batch without an outcome.
type pending struct {
	batch peer.Batch
	first uint64 // ExactlyOnce: the seq it expects
}

func (p *pending) end() uint64 { return p.first + uint64(len(p.batch.Records)) }

// OpenProducer opens a producer handle.
func (c *Client) OpenProducer(ctx context.Context, stream peer.StreamName, opts ProducerOptions) (*Producer, error) {
	p := &Producer{c: c, stream: stream, opts: opts, changed: c.cfg.Run.NewSignal()}
	if err := p.open(ctx); err != nil {
		return nil, err
	}
	p.next = p.opened.Next
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
		p.session, p.sent, p.opened = s, 0, s.Opened()
		return nil
	})
}

// Append sends one batch and waits for its outcome. What is known not to be appended, for a reason that ends by itself, is
// sent again until ctx ends. The error is the batch's: a *peer.Error, Indeterminate where nobody knows. It is not to be
// mixed with Send: outcomes that Recv has not given would be taken for this batch's.
func (p *Producer) Append(ctx context.Context, batch peer.Batch) (peer.Ack, error) {
	for {
		if err := p.Send(ctx, batch); err != nil {
			return peer.Ack{}, err
		}
		ack, err := p.Recv(ctx)
		if err != nil {
			p.forget(ctx) // an outcome that came later would be taken for the next batch's
			return ack, indeterminate(p.stream, err)
		}
		if ack.Err == nil {
			return ack, nil
		}
		if !ack.Err.Code.Definite() || !again(ack.Err) || ctx.Err() != nil {
			return ack, ack.Err
		}
	}
}

// indeterminate is the outcome of a batch that was sent and not answered.
func indeterminate(stream peer.StreamName, cause error) error {
	var e *peer.Error
	if errors.As(cause, &e) {
		return e
	}
	return &peer.Error{
		Code: peer.Indeterminate, What: "stream " + stream.String(), Reason: "no answer came for a batch that was sent", Err: cause,
		Try: "read the tail to find out, or append with exactly-once",
	}
}

// forget gives up the session with everything that has no outcome yet; the next batch opens a new one.
func (p *Producer) forget(ctx context.Context) {
	_ = p.Close(ctx) // where it does not arrive, the star finds out by itself
	p.pending, p.answers, p.sent = nil, nil, 0
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
	entry := &pending{batch: batch}
	if p.opts.ExactlyOnce {
		if batch.MatchSeq == nil {
			first := p.next
			entry.batch.MatchSeq = &first
		}
		entry.first = *entry.batch.MatchSeq
		p.next = entry.end()
	}
	p.pending = append(p.pending, entry)
	return p.push(ctx)
}

// push gives the session what it does not have yet. Where the session fails, Recv finds out and says what became of it.
func (p *Producer) push(ctx context.Context) error {
	for p.session != nil && p.sent < len(p.pending) {
		s := p.session
		err := s.Send(ctx, p.pending[p.sent].batch)
		if p.session != s {
			return nil // Recv has seen the session fail
		}
		if err != nil && ctx.Err() != nil {
			return p.takeLast(err)
		}
		p.sent++
		p.changed.Broadcast()
		if err != nil {
			return nil // the batch counts as sent: Recv resolves it
		}
	}
	return nil
}

// takeLast gives up the last batch, which the session never took.
func (p *Producer) takeLast(err error) error {
	last := p.pending[len(p.pending)-1]
	p.pending = p.pending[:len(p.pending)-1]
	if p.opts.ExactlyOnce {
		p.next = last.first
	}
	return err
}

// Recv waits for the outcome of the oldest batch without one. A failed batch is told as Ack.Err; the error is the context's,
// or says that the producer cannot go on.
func (p *Producer) Recv(ctx context.Context) (peer.Ack, error) {
	for {
		if len(p.answers) > 0 {
			ack := p.answers[0]
			p.answers = p.answers[1:]
			return ack, nil
		}
		if p.session == nil && len(p.pending) > 0 {
			if err := p.resume(ctx); err != nil {
				return peer.Ack{}, err
			}
			continue
		}
		if p.sent == 0 {
			if err := p.changed.Wait(ctx); err != nil {
				return peer.Ack{}, err
			}
			continue
		}
		s := p.session
		ack, err := s.Recv(ctx)
		switch {
		case p.session != s:
			continue
		case err != nil && ctx.Err() != nil:
			return peer.Ack{}, ctx.Err()
		case err != nil:
			err = p.failed(ctx, err)
		case lost(ack) && p.opts.ExactlyOnce:
			err = p.failed(ctx, ack.Err)
		default:
			p.pending, p.sent = p.pending[1:], p.sent-1
			return ack, nil
		}
		if err != nil {
			return peer.Ack{}, err
		}
	}
}

// lost says whether a batch's leadership ended with it: the session can tell no more.
func lost(ack peer.Ack) bool {
	return ack.Err != nil && (ack.Err.Code == peer.NotAppended || ack.Err.Code == peer.Indeterminate)
}

// Close gives the handle back. Outcomes not received by then are lost to the caller.
func (p *Producer) Close(ctx context.Context) error {
	if p.session == nil {
		return nil
	}
	s := p.session
	p.session = nil
	p.changed.Broadcast()
	return s.Close(ctx)
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
