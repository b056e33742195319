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

	batches  int                                     // how many are sent; 0: until the time is up
	until    time.Duration                           // on the clock of the process
	underWay int                                     // at most so many have no outcome
	gap      time.Duration                           // longest between two
	wait     func(ctx context.Context, p *pipe) bool // instead of a gap, where it is not nil; false: it is over
	small    bool                                    // each batch is one small record
	asks     bool                                    // each batch has a condition that cannot hold
}

// pipeline sends batches without waiting for the outcome of each, with exactly-once or without.
func (s *spell) pipeline(ctx context.Context) {
	p := s.open(ctx, client.ProducerOptions{ExactlyOnce: percent(s.rng, 40)})
	if p == nil {
		return
	}
	temper := s.life.seat.work.temper
	pipe := &pipe{
		spell: s, changed: s.life.run.NewSignal(), batches: 5 + s.rng.IntN(temper.burst), underWay: temper.underWay,
		gap: min(temper.gap, 60*time.Millisecond),
	}
	pipe.carry(ctx, p)
}

// carry sends through a producer until the pipe is done or breaks, and closes the producer. It says whether ctx goes on.
func (p *pipe) carry(ctx context.Context, through *client.Producer) bool {
	s := p.spell
	p.producer, p.over, p.broken = through, false, false
	received := false
	s.life.run.GoOn(ctx, "receive", func(ctx context.Context) {
		p.receive(ctx)
		received = true
		p.changed.Broadcast()
	})
	p.send(ctx)
	for !received {
		if p.changed.Wait(ctx) != nil {
			return false
		}
	}
	s.close(ctx, through)
	return s.life.pause(ctx, between(s.rng, 0, p.gap))
}

// more says whether another batch is due after so many.
func (p *pipe) more(sent int) bool {
	if p.batches > 0 {
		return sent < p.batches
	}
	return p.spell.life.run.Elapsed() < p.until
}

func (p *pipe) send(ctx context.Context) {
	s := p.spell
	for sent := 0; p.more(sent); sent++ {
		for len(p.under) >= p.underWay && !p.broken {
			if p.changed.Wait(ctx) != nil {
				break
			}
		}
		if p.broken || !s.life.going(ctx) {
			break
		}
		if !p.sendOne(ctx) || !p.rest(ctx) {
			break
		}
	}
	p.over = true
	p.changed.Broadcast()
}

// rest waits between two batches. False: it is over.
func (p *pipe) rest(ctx context.Context) bool {
	if p.wait != nil {
		return p.wait(ctx, p)
	}
	return p.spell.life.pause(ctx, between(p.spell.rng, 0, p.gap))
}

// sendOne sends a batch. An error means that it is not part of the stream.
func (p *pipe) sendOne(ctx context.Context) bool {
	s := p.spell
	b := s.batch()
	if !s.due(ctx) {
		return true
	}
	if p.small {
		b.Records = []peer.Record{s.life.seat.work.bodies.record(s.rng, 32)}
	}
	if p.asks {
		never := uint64(1) << 50
		b.MatchSeq = &never
	}
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
