package workload

import (
	"context"
	"errors"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// pipe is a producer with several batches under way: one task sends, one receives.
type pipe struct {
	spell    *spell
	producer *client.Producer
	under    []Op // sent, in order, without an outcome
	changed  run.Signal
	over     bool // nothing more is sent
	broken   bool // no outcome comes any more
}

// pipeline sends batches without waiting for the outcome of each, with exactly-once or without.
func (s *spell) pipeline(ctx context.Context) {
	p := s.open(ctx, client.ProducerOptions{ExactlyOnce: percent(s.rng, 40)})
	if p == nil {
		return
	}
	pipe := &pipe{spell: s, producer: p, changed: s.life.run.NewSignal()}
	received := false
	s.life.run.GoOn(ctx, "receive", func(ctx context.Context) {
		pipe.receive(ctx)
		received = true
		pipe.changed.Broadcast()
	})
	pipe.send(ctx)
	for !received {
		if pipe.changed.Wait(ctx) != nil {
			return
		}
	}
	s.close(ctx, p)
}

func (p *pipe) send(ctx context.Context) {
	s := p.spell
	temper := s.life.seat.work.temper
	for range 5 + s.rng.IntN(temper.burst) {
		for len(p.under) >= temper.underWay && !p.broken {
			if p.changed.Wait(ctx) != nil {
				break
			}
		}
		if p.broken || !s.life.going(ctx) {
			break
		}
		if !p.sendOne(ctx) || !s.life.pause(ctx, between(s.rng, 0, min(temper.gap, 60*time.Millisecond))) {
			break
		}
	}
	p.over = true
	p.changed.Broadcast()
}

// sendOne sends a batch. An error means that it is not part of the stream.
func (p *pipe) sendOne(ctx context.Context) bool {
	s := p.spell
	b := s.batch()
	op := s.hand.Append(s.stream, b, p.producer.Opened().Token)
	p.under = append(p.under, op) // its outcome may come before Send returns
	ctx, cancel := s.life.run.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if err := p.producer.Send(ctx, b); err != nil {
		if n := len(p.under); n > 0 && p.under[n-1] == op {
			p.under = p.under[:n-1]
			op.NotTaken(err)
		}
		return false
	}
	p.changed.Broadcast()
	return true
}

func (p *pipe) receive(ctx context.Context) {
	s := p.spell
	for {
		for len(p.under) == 0 {
			if p.over {
				return
			}
			if p.changed.Wait(ctx) != nil {
				return
			}
		}
		limited, cancel := s.life.run.WithTimeout(ctx, 40*time.Second)
		ack, err := p.producer.Recv(limited)
		cancel()
		if err != nil {
			p.breakOff(err)
			return
		}
		if len(p.under) == 0 {
			s.life.seat.work.complain("stream %s: a producer gave an outcome (%+v) for a batch that nobody sent", s.stream.Name, ack)
			return
		}
		op := p.under[0]
		p.under = p.under[1:]
		if ack.Err != nil {
			op.Refused(ack.Err)
		} else {
			op.Acked(ack)
		}
		p.changed.Broadcast()
	}
}

// breakOff ends the pipe: what is under way has no outcome.
func (p *pipe) breakOff(err error) {
	p.broken = true
	lost := &peer.Error{Code: peer.Indeterminate, Reason: "no outcome came", Err: err}
	for _, op := range p.under {
		op.Refused(lost)
	}
	p.under = nil
	p.changed.Broadcast()
}

// refusal finds the answer of a star in an error.
func refusal(err error) (*peer.Error, bool) {
	var e *peer.Error
	ok := errors.As(err, &e)
	return e, ok
}
