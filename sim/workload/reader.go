package workload

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/io/peer"
)

// reader follows streams and asks for their tails.
type reader struct {
	life  *life
	rests *rand.Rand
	rng   *rand.Rand // of what it does now
	// One hand a stream: it is the reader that must never see the stream go back.
	hands map[*Stream]*Hand
	at    map[*Stream]uint64 // where each goes on
}

func newReader(l *life) *reader {
	s := l.seat
	return &reader{
		life: l, rests: s.work.chance(fmt.Sprintf("%s/%d/read", s.name, s.lives)),
		hands: map[*Stream]*Hand{}, at: map[*Stream]uint64{},
	}
}

// loop goes from stream to stream.
func (r *reader) loop(ctx context.Context) {
	for r.life.pause(ctx, between(r.rests, 0, 2*time.Second)) {
		cue := r.life.seat.reads.Next()
		if !cue.On() || !r.life.pause(ctx, cue.Wait()) {
			continue
		}
		r.rng = cue.Rand()
		s := r.life.seat.work.pick(r.rng)
		if s.gone {
			continue
		}
		switch n := r.rng.IntN(100); {
		case n < 32:
			r.follow(ctx, s)
		case n < 40:
			r.watch(ctx, s)
		case n < 65:
			r.tail(ctx, s)
		case n < 85:
			r.linearizable(ctx, s)
		default:
			r.jump(ctx, s)
		}
	}
}

// fetch asks for records and records the answer. Next is where to go on.
func (r *reader) fetch(ctx context.Context, h *Hand, s *Stream, req peer.FetchRequest) (next uint64, ok bool) {
	req.Stream = s.Name
	op := h.Read(s, req.From, req.Linearizable)
	ctx, cancel := r.life.within(ctx, r.rng)
	defer cancel()
	reply, err := r.life.client.Fetch(ctx, req)
	if err != nil {
		op.Refused(err)
		return req.From, false
	}
	op.Got(reply)
	return reply.Next, true
}

// follow reads on where this reader was, for a few answers.
func (r *reader) follow(ctx context.Context, s *Stream) {
	if r.hands[s] == nil {
		r.hands[s] = r.life.seat.work.journal.Hand()
		if percent(r.rng, 80) { // the others read it all
			r.at[s] = s.seen - min(s.seen, r.rng.Uint64N(100))
		}
	}
	for range 1 + r.rng.IntN(4) {
		next, ok := r.fetch(ctx, r.hands[s], s, peer.FetchRequest{
			From: r.at[s], MaxCount: one(r.rng, []int{1, 7, 50, 100, 100, 100, 0}), MaxBytes: one(r.rng, []int{0, 0, 1, 4 << 10, 8 << 20}),
			Wait: between(r.rng, 0, 3*time.Second),
		})
		if !ok {
			return
		}
		r.at[s] = max(next, r.at[s])
		s.seen = max(s.seen, next)
		if !r.life.going(ctx) {
			return
		}
	}
}

// tail asks for the tail.
func (r *reader) tail(ctx context.Context, s *Stream) {
	op := r.life.seat.work.journal.Hand().Tail(s)
	ctx, cancel := r.life.within(ctx, r.rng)
	defer cancel()
	reply, err := r.life.client.Tail(ctx, s.Name)
	if err != nil {
		op.Refused(err)
		return
	}
	op.Told(reply.Next)
}

// linearizable reads at the tail, or at where a reader of this client was.
func (r *reader) linearizable(ctx context.Context, s *Stream) {
	r.fetch(ctx, r.life.seat.work.journal.Hand(), s, peer.FetchRequest{From: r.at[s], Linearizable: true, MaxCount: one(r.rng, []int{100, 100, 5})})
}

// watch follows a stream to its end and stays there for a while: whoever led it then is asked again and again whether that is
// still its end, also once it leads no more.
func (r *reader) watch(ctx context.Context, s *Stream) {
	r.follow(ctx, s)
	for range 4 + r.rng.IntN(8) {
		if !r.life.pause(ctx, between(r.rng, 100*time.Millisecond, 3*time.Second)) {
			return
		}
		next, ok := r.fetch(ctx, r.hands[s], s, peer.FetchRequest{From: r.at[s], Linearizable: true})
		if !ok {
			return
		}
		r.at[s] = max(next, r.at[s])
	}
}

// jump reads somewhere: the start, the middle, the very end, and beyond it.
func (r *reader) jump(ctx context.Context, s *Stream) {
	from := uint64(0)
	switch r.rng.IntN(4) {
	case 0:
		from = r.rng.Uint64N(r.at[s] + 1)
	case 1:
		from = r.at[s] + r.rng.Uint64N(3)
	case 2:
		from = one(r.rng, []uint64{1 << 40, ^uint64(0)})
	}
	r.fetch(ctx, r.life.seat.work.journal.Hand(), s, peer.FetchRequest{
		From: from, MaxCount: one(r.rng, []int{1, 10, 100}), Linearizable: percent(r.rng, 30),
	})
}
