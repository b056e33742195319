package workload

import (
	"context"
	"errors"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
)

// errLeftOut is a batch that the script of the run leaves out.
var errLeftOut = errors.New("left out")

// append appends one batch and records it.
func (s *spell) append(ctx context.Context, p *client.Producer, b peer.Batch) (peer.Ack, error) {
	if !s.due(ctx) {
		return peer.Ack{}, errLeftOut
	}
	op := s.hand.Append(s.stream, b, p.Opened().Token)
	ctx, cancel := s.life.within(ctx, s.rng)
	defer cancel()
	ack, err := p.Append(ctx, b)
	if err != nil {
		op.Refused(err)
	} else {
		op.Acked(ack)
	}
	return ack, err
}

// plain appends batch after batch through one producer, and goes on with it after failures as long as it is not fenced.
func (s *spell) plain(ctx context.Context) {
	p := s.open(ctx, client.ProducerOptions{})
	if p == nil {
		return
	}
	for range 1 + s.rng.IntN(30) {
		if _, err := s.append(ctx, p, s.batch()); peer.Is(err, peer.Fenced) || !s.gap(ctx) {
			break
		}
	}
	s.close(ctx, p)
}

// exactlyOnce is plain with outcomes resolved by the client, on a Fenced stream without loss or duplicate.
func (s *spell) exactlyOnce(ctx context.Context) {
	p := s.open(ctx, client.ProducerOptions{ExactlyOnce: true})
	if p == nil {
		return
	}
	for range 1 + s.rng.IntN(30) {
		_, err := s.append(ctx, p, s.batch())
		if err != nil && !peer.Is(err, peer.MatchFailed) && !errors.Is(err, errLeftOut) || !s.gap(ctx) {
			break
		}
	}
	s.close(ctx, p)
}

// conditional appends at the tail that it knows, and at tails that are wrong.
func (s *spell) conditional(ctx context.Context) {
	p := s.open(ctx, client.ProducerOptions{})
	if p == nil {
		return
	}
	tail := p.Opened().Next
	for range 1 + s.rng.IntN(15) {
		b, match := s.batch(), tail
		switch n := s.rng.IntN(10); {
		case n == 0:
			match += 1 + s.rng.Uint64N(3)
		case n == 1:
			match -= min(match, 1+s.rng.Uint64N(3))
		case n == 2:
			match = 0
		}
		b.MatchSeq = &match
		ack, err := s.append(ctx, p, b)
		if mismatch, ok := refusal(err); ok && mismatch.Code == peer.MatchFailed {
			tail = mismatch.Tail
		} else if err == nil {
			tail = ack.Next
		}
		if peer.Is(err, peer.Fenced) || !s.gap(ctx) {
			break
		}
	}
	s.close(ctx, p)
}

// takeover opens a producer over whoever has the stream, by the next token, by one far ahead, or by an old one, which must
// be refused; and appends a little.
func (s *spell) takeover(ctx context.Context) {
	first := s.open(ctx, client.ProducerOptions{})
	if first == nil {
		return
	}
	opts := client.ProducerOptions{}
	if token := first.Opened().Token; token > 0 {
		switch s.rng.IntN(4) {
		case 0:
			opts.Token = token + 1 + s.rng.Uint64N(5)
		case 1:
			opts.Token = token // the same producer coming back
		case 2:
			opts.Token = max(token, 2) - 1
		}
	}
	second := s.open(ctx, opts)
	for range 1 + s.rng.IntN(4) {
		if _, err := s.append(ctx, first, s.batch()); peer.Is(err, peer.Fenced) || !s.gap(ctx) {
			break
		}
		if second == nil {
			continue
		}
		if _, err := s.append(ctx, second, s.batch()); peer.Is(err, peer.Fenced) || !s.gap(ctx) {
			break
		}
	}
	s.close(ctx, first)
	if second != nil {
		s.close(ctx, second)
	}
}

// openAndClose opens and closes without an append, several times: epochs grow and rows stay as they are.
func (s *spell) openAndClose(ctx context.Context) {
	for range 1 + s.rng.IntN(4) {
		p := s.open(ctx, client.ProducerOptions{})
		if p == nil {
			return
		}
		if percent(s.rng, 30) {
			_, _ = s.append(ctx, p, s.batch())
		}
		s.close(ctx, p)
		if !s.gap(ctx) {
			return
		}
	}
}

// crashMidAppend ends the client's life while an append is under way.
func (s *spell) crashMidAppend(ctx context.Context) {
	p := s.open(ctx, client.ProducerOptions{ExactlyOnce: percent(s.rng, 50)})
	if p == nil {
		return
	}
	for range s.rng.IntN(3) {
		_, _ = s.append(ctx, p, s.batch())
	}
	l := s.life
	l.seat.work.world.After(between(s.rng, 0, 80*time.Millisecond), func() { l.seat.crash(l) })
	_, _ = s.append(ctx, p, s.batch())
}

// resume appends, waits until the stream has gone idle, and goes on with the producer that it closed meanwhile.
func (s *spell) resume(ctx context.Context) {
	p := s.open(ctx, client.ProducerOptions{ExactlyOnce: percent(s.rng, 50)})
	if p == nil {
		return
	}
	for range 2 {
		_, _ = s.append(ctx, p, s.batch())
		s.close(ctx, p)
		if !s.life.pause(ctx, between(s.rng, 25*time.Second, 60*time.Second)) {
			return
		}
	}
	_, _ = s.append(ctx, p, s.batch())
	s.close(ctx, p)
}
