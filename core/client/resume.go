package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/peer"
)

// pending is a batch without an outcome.
type pending struct {
	batch peer.Batch
	given bool   // a session that is gone was given it
	first uint64 // ExactlyOnce: the seq it expects
	asked bool   // the caller asked for that seq
}

func (b *pending) end() uint64 { return b.first + uint64(len(b.batch.Records)) }

// alone says whether this producer is the only writer of its stream while its token is the current one.
func (p *Producer) alone() bool {
	return p.opened.Mode == peer.ModeFenced || p.c.cfg.Bugs.Has(planted.NeverAlone)
}

// expect is a batch with the seq it expects, where the producer works exactly-once.
func (p *Producer) expect(batch peer.Batch) *pending {
	b := &pending{batch: batch}
	if !p.opts.ExactlyOnce {
		return b
	}
	b.asked = batch.MatchSeq != nil
	switch n := len(p.pending); {
	case b.asked:
		b.first = *batch.MatchSeq
	case n > 0:
		b.first = p.pending[n-1].end()
	default:
		b.first = p.tail
	}
	b.batch.MatchSeq = &b.first
	return b
}

// lost says whether an exactly-once producer finds out by itself what became of the batch of an answer, and goes on.
func (p *Producer) lost(ack peer.Ack) bool {
	return p.opts.ExactlyOnce && ack.Err != nil && (!ack.Err.Code.Definite() || ack.Err.Code == peer.NotAppended && p.alone())
}

// answer gives the oldest batch the outcome that its session told.
func (p *Producer) answer(ack peer.Ack) {
	b := p.pending[0]
	p.pending, p.sent = p.pending[1:], p.sent-1
	switch {
	case !p.opts.ExactlyOnce:
	case ack.Err == nil:
		p.tail = ack.Next
	case ack.Err.Code == peer.MatchFailed:
		p.tail = ack.Err.Tail
		ack.Err = p.mismatch(b, ack.Err)
	}
	p.answers = append(p.answers, ack)
}

// mismatch is what a failed match says of a batch. One that an earlier session was given too may be what it met.
func (p *Producer) mismatch(b *pending, e *peer.Error) *peer.Error {
	switch {
	case b.given && !p.alone():
		return indeterminate(p.stream, "it was sent twice, and met a tail that it may have made itself", e)
	case b.asked:
		return e
	default:
		return &peer.Error{
			Code: peer.NotAppended, What: e.What, Err: e, Try: "send it again",
			Reason: fmt.Sprintf("it was to stand at %d, and the tail is %d: another producer wrote, or a batch before it was refused", b.first, e.Tail),
		}
	}
}

// answerAll gives every batch without an outcome one.
func (p *Producer) answerAll(outcome func(*pending) *peer.Error) {
	for _, b := range p.pending {
		p.answers = append(p.answers, peer.Ack{Err: outcome(b)})
	}
	p.pending, p.sent = nil, 0
	p.changed.Broadcast()
}

// resume gets a session for the batches without an outcome, unless a Send has got one in between.
func (p *Producer) resume(ctx context.Context) error {
	if err := p.lock(ctx); err != nil {
		return err
	}
	defer p.unlock()
	if p.session == nil && len(p.pending) > 0 {
		if err := p.reopen(ctx); err != nil {
			return err
		}
	}
	return p.push(ctx)
}

// reopen gets a new session and, with exactly-once, resolves by its confirmed tail what the old one left open. Where the
// stream is not this producer's any more, what was sent is indeterminate: its successor may have appended since.
func (p *Producer) reopen(ctx context.Context) error {
	closes := p.closes
	err := p.open(ctx)
	var unfinished *UnfinishedError
	switch {
	case err == nil && p.closes != closes:
		_ = p.Close(ctx) // it is not wanted any more
		return p.closedError()
	case err == nil && p.opts.ExactlyOnce && !p.c.cfg.Bugs.Has(planted.Unreconciled):
		p.reconcile(p.opened.Next)
	case err != nil && !errors.As(err, &unfinished):
		p.answerAll(func(b *pending) *peer.Error {
			if e := outcomeOf(p.stream, err); !b.given || p.c.cfg.Bugs.Has(planted.GivenForgotten) {
				return e
			}
			return indeterminate(p.stream, "the producer cannot go on, and the outcome is not known", err)
		})
	}
	return err
}

// reconcile compares the open batches with the confirmed tail. While this producer is the only writer, and its batches touch,
// those that end at or below the tail are appended and those from the tail on are not. Where others write, only a tail that
// has not moved tells. Anything else is not ours to tell.
func (p *Producer) reconcile(tail uint64) {
	touch := p.touch()
	for touch && p.alone() && len(p.pending) > 0 && p.pending[0].end() <= tail {
		b := p.pending[0]
		p.answers = append(p.answers, peer.Ack{First: b.first, Next: b.end()})
		p.pending, p.tail = p.pending[1:], b.end()
	}
	if len(p.pending) > 0 && (!touch || p.tail != tail) {
		reason := fmt.Sprintf("the tail is %d, and a batch without an answer was to stand at %d", tail, p.pending[0].first)
		p.answerAll(func(*pending) *peer.Error { return indeterminate(p.stream, reason, nil) })
	}
	p.tail = tail
	p.changed.Broadcast()
}

// touch says whether the open batches expect to follow each other from the known tail on. Where they do, none can have been
// appended when one before it was refused.
func (p *Producer) touch() bool {
	at := p.tail
	for _, b := range p.pending {
		if b.first != at {
			return false
		}
		at = b.end()
	}
	return true
}
