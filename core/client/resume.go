package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/io/peer"
)

// failed ends the session. Without exactly-once every batch it had is answered with what is known; with it, a new session
// tells what became of them.
func (p *Producer) failed(ctx context.Context, cause error) error {
	s := p.session
	p.session = nil
	p.changed.Broadcast()
	_ = s.Close(ctx) // it failed: nothing is left to give back
	if !p.opts.ExactlyOnce {
		p.answerAll(outcomeOf(p.stream, cause))
		return nil
	}
	return p.resume(ctx)
}

// resume gets a session for the batches without an outcome, unless a Send has got one in between.
func (p *Producer) resume(ctx context.Context) error {
	if err := p.lock(ctx); err != nil {
		return err
	}
	defer p.unlock()
	if p.session == nil {
		if err := p.reopen(ctx); err != nil {
			return err
		}
	}
	return p.push(ctx)
}

// outcomeOf is what a failed session says of the batches it had.
func outcomeOf(stream peer.StreamName, cause error) *peer.Error {
	var e *peer.Error
	if errors.As(cause, &e) && e.Code != peer.Internal {
		return e
	}
	return &peer.Error{Code: peer.Indeterminate, What: "stream " + stream.String(), Reason: "the session broke", Err: cause, Try: "read the tail to find out"}
}

// answerAll gives every batch without an outcome the same one.
func (p *Producer) answerAll(e *peer.Error) {
	for range p.pending {
		p.answers = append(p.answers, peer.Ack{Err: e})
	}
	p.pending, p.sent = nil, 0
	p.changed.Broadcast()
}

// reopen gets a new session and, with exactly-once, resolves by its confirmed tail what the old one left open. A producer
// that has been superseded answers what is open as indeterminate, for its successor may have appended since.
func (p *Producer) reopen(ctx context.Context) error {
	err := p.open(ctx)
	if err == nil && p.opts.ExactlyOnce {
		p.reconcile(p.opened.Next)
	}
	if peer.Is(err, peer.Fenced) && len(p.pending) > 0 {
		p.answerAll(&peer.Error{
			Code: peer.Indeterminate, What: "stream " + p.stream.String(), Reason: "a newer producer took over before the outcome was known", Err: err,
			Try: "read the stream from the seqs in question",
		})
		return nil
	}
	return err
}

// reconcile compares the open batches with the confirmed tail. On a Fenced stream this producer is the only writer under its
// token, so what ends at or below the tail is appended and what begins at it is not. Anything else is not ours to tell.
func (p *Producer) reconcile(tail uint64) {
	for len(p.pending) > 0 && p.opened.Mode == peer.ModeFenced && p.pending[0].end() <= tail {
		first := p.pending[0]
		p.answers = append(p.answers, peer.Ack{First: first.first, Next: first.end()})
		p.pending = p.pending[1:]
	}
	if len(p.pending) > 0 && p.pending[0].first != tail {
		p.answerAll(&peer.Error{
			Code: peer.Indeterminate, What: "stream " + p.stream.String(),
			Reason: fmt.Sprintf("the tail is %d and a batch without an answer expected %d: another producer may have written", tail, p.pending[0].first),
			Try:    "read the stream from the seqs in question",
		})
	}
	if len(p.pending) == 0 {
		p.next = tail
	}
	p.changed.Broadcast()
}
