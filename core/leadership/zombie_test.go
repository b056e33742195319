package leadership_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim/fleets"
)

// A zombie is a star that does not know yet that it was superseded. Its whole log can be durable and out of date, so nothing
// that tells a tail may come from its memory.

// superseded has a star lead a stream with 3 records, holds it until another star leads with 5, and wakes it. The clients
// that it gives were connected to the zombie all the time.
func superseded(t *testing.T, seed uint64, mode peer.Mode) (r *rig, zombie *fleets.Star, ask func(func(ctx context.Context, s peer.Star) error) error) {
	r = newRig(t, seed, fleets.Config{Stars: 3})
	zombie = r.Stars[0]
	stream := r.streamFor(zombie, mode, peer.ClassExpress)
	c := r.Scribe("old")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 3)
	r.pass(3 * time.Second) // absorbed: the zombie has nothing to do when it wakes
	zombie.Process.Pause()

	next := r.Scribe("next")
	pen = r.open(next, stream, client.ProducerOptions{})
	r.write(next, pen, 2)
	r.check(r.At(stream) != zombie, "led by the zombie")
	zombie.Process.Resume()
	return r, zombie, func(call func(ctx context.Context, s peer.Star) error) error { return r.ask(c, zombie, call) }
}

// TestZombieTellsNoTail: asked for the tail in the instant in which it wakes, the zombie seals a flight to prove that it leads,
// meets poison, and redirects.
func TestZombieTellsNoTail(t *testing.T) {
	for seed := range uint64(5) {
		r, _, ask := superseded(t, seed, peer.ModeAny)
		name := r.last
		err := ask(func(ctx context.Context, s peer.Star) error {
			reply, err := s.Tail(ctx, name)
			if err == nil && reply.Next != 5 {
				t.Errorf("seed %d: the zombie told the tail %d", seed, reply.Next)
			}
			return err
		})
		r.check(peer.Is(err, peer.NotOwner), "the tail was answered with %v", err)
		r.done()
	}
}

// TestZombieTellsNoTailToAJoiner: a producer that joins the zombie's leadership is told no next seq before the barrier.
func TestZombieTellsNoTailToAJoiner(t *testing.T) {
	for _, mode := range []peer.Mode{peer.ModeAny, peer.ModeFenced} {
		for seed := range uint64(5) {
			r, _, ask := superseded(t, seed, mode)
			name := r.last
			err := ask(func(ctx context.Context, s peer.Star) error {
				session, err := s.OpenSession(ctx, peer.OpenRequest{Stream: name})
				if err == nil {
					t.Errorf("seed %d: %s: the zombie opened at %d", seed, mode, session.Opened().Next)
				}
				return err
			})
			r.check(peer.Is(err, peer.NotOwner), "the open was answered with %v", err)
			r.done()
		}
	}
}

// TestZombieRefusesNoMatch: an append that expects the true tail meets a zombie whose tail is lower. It is not refused as a
// failed match, which would be a lie about the tail, and it is not sequenced.
func TestZombieRefusesNoMatch(t *testing.T) {
	for seed := range uint64(5) {
		r := newRig(t, seed, fleets.Config{Stars: 3})
		zombie := r.Stars[0]
		stream := r.streamFor(zombie, peer.ModeAny, peer.ClassStandard)
		old, next := r.Scribe("old"), r.Scribe("next")
		pen := r.open(old, stream, client.ProducerOptions{})
		r.write(old, pen, 3)
		zombie.Process.Pause()
		r.write(next, r.open(next, stream, client.ProducerOptions{}), 2)
		zombie.Process.Resume()
		match := uint64(5)
		batch := r.Line(stream)
		batch.MatchSeq = &match
		var ack peer.Ack
		r.ok(old.Do(func(ctx context.Context) (err error) {
			ack, err = pen.WriteBatch(ctx, batch)
			return err
		}))
		r.check(ack.First == 5, "the append was told %+v", ack)
		r.done()
	}
}

// TestZombieAppends: what a zombie's producer has under way is either in the stream or failed; the producer goes on at the
// new leader.
func TestZombieAppends(t *testing.T) {
	for seed := range uint64(5) {
		r := newRig(t, seed, fleets.Config{Stars: 3})
		zombie := r.Stars[0]
		stream := r.streamFor(zombie, peer.ModeAny, peer.ClassExpress)
		c := r.Scribe("old")
		pen := r.open(c, stream, client.ProducerOptions{})
		c.Go("append", func(ctx context.Context) {
			for c.Sleep(ctx, 5*time.Millisecond) == nil {
				if _, err := pen.Write(ctx); err != nil && !peer.Is(err, peer.Indeterminate) {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		})
		r.pass(time.Second)
		zombie.Process.Pause()
		next := r.Scribe("next")
		r.write(next, r.open(next, stream, client.ProducerOptions{}), 3)
		zombie.Process.Resume()
		r.pass(5 * time.Second)
		r.check(pen.Opened().Addr != zombie.Name, "the old producer is still at the zombie")
		r.done()
	}
}

// TestFencedTakeoverAcrossStars: the next producer of a Fenced stream takes over from one whose star is cut off from
// everything but it. The old producer's appends are not acknowledged any more.
func TestFencedTakeoverAcrossStars(t *testing.T) {
	r := newRig(t, 4, fleets.Config{Stars: 3})
	zombie := r.Stars[0]
	stream := r.streamFor(zombie, peer.ModeFenced, peer.ClassExpress)
	old, next := r.Scribe("old"), r.Scribe("next")
	pen := r.open(old, stream, client.ProducerOptions{ExactlyOnce: true})
	r.write(old, pen, 3)
	for _, s := range r.others(zombie) {
		r.Net.Partition([]string{zombie.Name}, []string{s.Name})
	}
	r.Net.Partition([]string{zombie.Name}, []string{"meta"})
	successor := r.open(next, stream, client.ProducerOptions{ExactlyOnce: true})
	r.check(successor.Opened().Token >= 2 && successor.Opened().Next == 3, "took over with %+v", successor.Opened())
	err := old.Do(func(ctx context.Context) error {
		ctx, cancel := old.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		_, err := pen.Write(ctx)
		return err
	})
	r.check(err != nil, "the old producer was acknowledged")
	r.write(next, successor, 3)
	r.done()
}

// TestTwins: a volume that was moved by force gives two living processes one identity. The later registration wins: the
// earlier process finds out, leads nothing more and stops; neither takes the other's chain for its own.
func TestTwins(t *testing.T) {
	for seed := range uint64(5) {
		r := newRig(t, seed, fleets.Config{Stars: 2})
		place := r.Stars[0]
		stream := r.streamFor(place, peer.ModeAny, peer.ClassStandard)
		old, next := r.Scribe("old"), r.Scribe("next")
		pen := r.open(old, stream, client.ProducerOptions{})
		r.write(old, pen, 4)
		first := place.Process
		id := place.Serving.ID()
		place.Process, place.Serving = nil, nil // the platform has forgotten the first process, which lives
		place.Start()
		r.until("the twin", func() bool { return place.Serving != nil })
		r.check(place.Serving.ID() == id, "the twin has another identity")
		r.write(next, r.open(next, stream, client.ProducerOptions{}), 4)
		r.write(old, pen, 4)
		r.until("the first to stop", func() bool { return r.Noted("star stopped") == 1 })
		r.check(r.Noted("star superseded") == 1, "not superseded")
		r.write(old, pen, 1)
		first.Kill()
		r.done()
	}
}

// TestSupersededStarDefersToItsSuccessor: a process that was superseded under its own identity and does not know it yet is asked about a stream that its
// successor leads. It does not fence its successor: alive defers, within one identity too.
func TestSupersededStarDefersToItsSuccessor(t *testing.T) {
	r := newRig(t, 6, fleets.Config{Stars: 1})
	place := r.Stars[0]
	first, serving := place.Process, place.Serving
	stream := r.streamFor(place, peer.ModeAny, peer.ClassStandard)
	first.Pause()
	place.Process, place.Serving = nil, nil
	place.Start()
	r.until("the twin", func() bool { return place.Serving != nil })
	c := r.Scribe("c")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 4)
	loseLease(r, stream)
	fences := r.Noted("gate fences")
	first.Resume()
	asked := false
	first.Go("ask", func(ctx context.Context) {
		_, err := serving.Tail(ctx, stream.Name)
		r.check(err != nil, "the superseded process told a tail")
		asked = true
	})
	r.until("the answer", func() bool { return asked })
	r.check(r.Noted("gate fences") == fences, "the superseded process fenced its successor")
	r.write(c, pen, 2)
	r.check(pen.Opened().Epoch == 1, "the successor was disturbed: %+v", pen.Opened())
	first.Kill()
	r.done()
}
