package leadership_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim/fleets"
)

// TestIdleReleaseAndRejoin: an Any stream outlives its last handle by the idle time-out. A handle that opens inside it joins
// the live role; an expiry that passes unclaimed leaves the stream vacant, marked clean, without a lease.
func TestIdleReleaseAndRejoin(t *testing.T) {
	r := newRig(t, 1, fleets.Config{Stars: 3})
	stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
	c := r.Scribe("c")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 3)
	first := pen.Opened()
	r.close(c, pen)

	r.pass(leadership.IdleTimeout - 5*time.Second)
	pen = r.open(c, stream, client.ProducerOptions{})
	r.check(pen.Opened().Epoch == first.Epoch && pen.Opened().Next == 3, "rejoined with %+v", pen.Opened())
	r.close(c, pen)

	r.pass(leadership.IdleTimeout - 2*time.Second) // the first close is long past; the second counts
	_, held := r.Lease(r.ID(stream))
	r.check(held, "released before the idle time-out of the last close")
	r.pass(5 * time.Second)
	_, held = r.Lease(r.ID(stream))
	r.check(!held && r.marked(r.ID(stream)), "lease %v, marked %v after the idle time-out", held, r.marked(r.ID(stream)))

	pen = r.open(c, stream, client.ProducerOptions{})
	r.check(pen.Opened().Epoch == first.Epoch+1 && pen.Opened().Next == 3, "reopened with %+v", pen.Opened())
	r.write(c, pen, 1)
	r.done()
}

// TestFencedReleasesAtOnce: a Fenced stream has no idle time-out, because a handoff to the next producer must not wait. A
// producer that was superseded does not keep the role, whether it closes its handle or not.
func TestFencedReleasesAtOnce(t *testing.T) {
	r := newRig(t, 2, fleets.Config{Stars: 3})
	stream := r.streamFor(r.Stars[1], peer.ModeFenced, peer.ClassExpress)
	a, b := r.Scribe("a"), r.Scribe("b")
	old := r.open(a, stream, client.ProducerOptions{})
	r.write(a, old, 2)
	successor := r.open(b, stream, client.ProducerOptions{})
	r.write(b, successor, 2)
	r.close(b, successor)
	r.until("the release", func() bool { _, held := r.Lease(r.ID(stream)); return !held })
	r.check(r.marked(r.ID(stream)), "released without a mark")
	r.done()
}

// TestFencingTokens: a newer token takes the stream over and ends the older producer, an older one is refused with the
// current one, 0 takes the next, and the same one is the same producer coming back.
func TestFencingTokens(t *testing.T) {
	r := newRig(t, 3, fleets.Config{Stars: 3})
	stream := r.streamFor(r.Stars[2], peer.ModeFenced, peer.ClassStandard)
	a, b := r.Scribe("a"), r.Scribe("b")
	first := r.open(a, stream, client.ProducerOptions{Token: 7})
	r.write(a, first, 1)
	second := r.open(b, stream, client.ProducerOptions{})
	r.check(second.Opened().Token == 8 && second.Opened().Next == 1, "the next producer got %+v", second.Opened())

	err := a.Do(func(ctx context.Context) error { _, err := first.Write(ctx); return err })
	r.check(peer.Is(err, peer.Fenced), "the superseded producer got %v", err)
	err = a.Do(func(ctx context.Context) error {
		_, err := a.Open(ctx, stream, client.ProducerOptions{Token: 7})
		return err
	})
	var refusal *peer.Error
	r.check(asError(err, &refusal) && refusal.Code == peer.Fenced && refusal.Token == 8, "the older token got %v", err)

	r.write(b, second, 1)
	again := r.open(b, stream, client.ProducerOptions{Token: 8})
	r.check(again.Opened().Epoch == second.Opened().Epoch && again.Opened().Next == 2, "the same producer came back to %+v", again.Opened())
	r.write(b, again, 1)
	r.close(b, again)
	r.done()
}

// TestOpensRace: many producers open one fresh stream at once, at whatever stars they know. One star leads, and every append
// finds its place.
func TestOpensRace(t *testing.T) {
	for seed := range uint64(5) {
		r := newRig(t, seed, fleets.Config{Stars: 3})
		stream := r.Stream("new", peer.ModeAny, peer.ClassExpress)
		done := 0
		for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			c := r.Scribe(name)
			c.Go("race", func(ctx context.Context) {
				pen, err := c.Open(ctx, stream, client.ProducerOptions{Create: true})
				if err == nil {
					err = pen.WriteAll(ctx, 3)
				}
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				done++
			})
		}
		r.until("all appends", func() bool { return done == 8 })
		w := r.Writer(r.ID(stream))
		r.check(r.At(stream) != nil && w.GetStar() == string(r.At(stream).Serving.ID()) && w.GetStreamEpoch() == 1, "writer row %v", w)
		r.done()
	}
}
