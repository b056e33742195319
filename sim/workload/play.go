package workload

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// player asks what is on the tape for the clients that fall to one process.
type player struct {
	life   *life
	rng    *rand.Rand
	began  time.Duration // on the clock of the process
	hands  map[history.Client]*Hand
	voices map[int]*voice
}

// voice is one producer of the tape. Its appends leave at their times, whether or not there are outcomes of earlier ones.
type voice struct {
	player   *player
	hand     *Hand
	stream   *Stream
	token    uint64 // that is asked for
	producer *client.Producer
	queue    []taped // that are due
	under    []Op    // sent, in order, without an outcome
	changed  run.Signal
}

// limit is how long a recorded operation may take.
const limit = 30 * time.Second

// play asks what falls to this process, at its times.
func (l *life) play(ctx context.Context) {
	w := l.seat.work
	p := &player{
		life: l, rng: w.chance(fmt.Sprintf("%s/play", l.seat.name)), began: l.run.Elapsed(),
		hands: map[history.Client]*Hand{}, voices: map[int]*voice{},
	}
	for _, one := range w.tape.ops {
		if int(one.Client)%len(w.clients) != l.seat.index {
			continue
		}
		if wait := p.began + time.Duration(one.at) - l.run.Elapsed(); wait > 0 && !l.pause(ctx, wait) || !l.going(ctx) {
			break
		}
		p.ask(ctx, one)
	}
}

// ask begins one operation and does not wait for it.
func (p *player) ask(ctx context.Context, one taped) {
	switch one.Kind {
	case history.Open, history.Append:
		v := p.voice(ctx, one)
		v.queue = append(v.queue, one)
		v.changed.Broadcast()
	case history.Read:
		p.aside(ctx, "read", func(ctx context.Context) { p.read(ctx, one) })
	case history.Tail:
		p.aside(ctx, "tail", func(ctx context.Context) { p.tail(ctx, one) })
	}
}

// aside runs fn as a task that the client's rest waits for.
func (p *player) aside(ctx context.Context, name string, fn func(context.Context)) {
	s := p.life.seat
	s.tasks++
	p.life.run.GoOn(ctx, name, func(ctx context.Context) {
		ctx, cancel := p.life.run.WithTimeout(ctx, limit)
		defer cancel()
		fn(ctx)
		s.tasks--
	})
}

func (p *player) hand(c history.Client) *Hand {
	if p.hands[c] == nil {
		p.hands[c] = p.life.seat.work.journal.Hand()
	}
	return p.hands[c]
}

func (p *player) read(ctx context.Context, one taped) {
	req := peer.FetchRequest{Stream: one.stream.Name, From: uint64(one.From), Linearizable: one.Linearizable, MaxCount: 100}
	op := p.hand(one.Client).Read(one.stream, req.From, req.Linearizable)
	reply, err := p.life.client.Fetch(ctx, req)
	if err != nil {
		op.Refused(err)
		return
	}
	op.Got(reply)
}

func (p *player) tail(ctx context.Context, one taped) {
	op := p.hand(one.Client).Tail(one.stream)
	reply, err := p.life.client.Tail(ctx, one.stream.Name)
	if err != nil {
		op.Refused(err)
		return
	}
	op.Told(reply.Next)
}

// voice is the producer of an open or append; its task sends until nothing was due for a while.
func (p *player) voice(ctx context.Context, one taped) *voice {
	v := p.voices[one.voice]
	if v == nil {
		v = &voice{player: p, hand: p.life.seat.work.journal.Hand(), stream: one.stream, changed: p.life.run.NewSignal()}
		p.voices[one.voice] = v
		p.life.seat.tasks++
		p.life.run.GoOn(ctx, "voice", func(ctx context.Context) {
			v.speak(ctx)
			delete(p.voices, one.voice)
			p.life.seat.tasks--
		})
	}
	return v
}

// idle is how long a producer is kept open after its last append.
const idle = 20 * time.Second

// speak sends what is due.
func (v *voice) speak(ctx context.Context) {
	l := v.player.life
	for l.going(ctx) {
		if len(v.queue) == 0 {
			waiting, cancel := l.run.WithTimeout(ctx, idle)
			err := v.changed.Wait(waiting)
			cancel()
			if err != nil && len(v.queue) == 0 {
				break
			}
			continue
		}
		one := v.queue[0]
		v.queue = v.queue[1:]
		if one.Kind == history.Open {
			v.token = uint64(one.Token)
			v.open(ctx)
			continue
		}
		v.send(ctx, one)
	}
	for len(v.under) > 0 && v.changed.Wait(ctx) == nil {
	}
	v.close(ctx)
}

// open opens the producer. False: it was refused.
func (v *voice) open(ctx context.Context) bool {
	p := v.player
	op := v.hand.Open(v.stream, v.token)
	ctx, cancel := p.life.run.WithTimeout(ctx, limit)
	defer cancel()
	producer, err := p.life.client.OpenProducer(ctx, v.stream.Name, client.ProducerOptions{Token: v.token})
	if err != nil {
		op.Refused(err)
		return false
	}
	op.Opened(producer.Opened())
	v.producer = producer
	return true
}

func (v *voice) close(ctx context.Context) {
	if v.producer != nil {
		ctx, cancel := v.player.life.run.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		_ = v.producer.Close(ctx) // where it does not arrive, the star finds out by itself
	}
}

// send sends one batch of as many records as the recorded one.
func (v *voice) send(ctx context.Context, one taped) {
	if v.producer == nil && !v.open(ctx) {
		return
	}
	p := v.player
	b := peer.Batch{Records: make([]peer.Record, len(one.Hashes))}
	for i := range b.Records {
		b.Records[i] = p.life.seat.work.bodies.record(p.rng, 16+p.rng.IntN(240))
	}
	if one.Match != nil {
		match := uint64(*one.Match)
		b.MatchSeq = &match
	}
	through := v.producer
	op := v.hand.Append(v.stream, b, through.Opened().Token)
	v.under = append(v.under, op)
	if len(v.under) == 1 {
		p.life.run.GoOn(ctx, "hear", func(ctx context.Context) { v.hear(ctx, through) })
	}
	ctx, cancel := p.life.run.WithTimeout(ctx, limit)
	defer cancel()
	if err := through.Send(ctx, b); err != nil {
		if n := len(v.under); n > 0 && v.under[n-1] == op {
			v.under = v.under[:n-1]
			op.NotTaken(err)
		}
		v.drop(ctx, through)
	}
}

// hear receives the outcomes of what is under way.
func (v *voice) hear(ctx context.Context, through *client.Producer) {
	for len(v.under) > 0 && v.producer == through {
		limited, cancel := v.player.life.run.WithTimeout(ctx, limit)
		ack, err := through.Recv(limited)
		cancel()
		switch {
		case v.producer != through || len(v.under) == 0:
		case err != nil:
			v.drop(ctx, through)
		default:
			op := v.under[0]
			v.under = v.under[1:]
			if ack.Err != nil {
				op.Refused(ack.Err)
			} else {
				op.Acked(ack)
			}
		}
	}
	v.changed.Broadcast()
}

// drop gives a producer up: what it has under way has no outcome.
func (v *voice) drop(ctx context.Context, through *client.Producer) {
	if v.producer != through {
		return
	}
	lost := &peer.Error{Code: peer.Indeterminate, Reason: "no outcome came"}
	for _, op := range v.under {
		op.Refused(lost)
	}
	v.close(ctx)
	v.under, v.producer = nil, nil
	v.changed.Broadcast()
}
