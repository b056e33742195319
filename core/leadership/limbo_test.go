package leadership_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/workload"
)

// inLimbo has a star lead a stream whose Finish cannot land: its last batch is in no store, for the store is dark.
func inLimbo(r *rig, star *fleets.Star) *workload.Stream {
	r.Helper()
	stream := r.streamFor(star, peer.ModeAny, peer.ClassStandard)
	c := r.Scribe("left")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 2)
	r.Objects.SetDark(true)
	c.Go("last words", func(ctx context.Context) { _, _ = pen.Write(ctx) })
	r.pass(time.Second)
	c.Kill()
	r.until("limbo", func() bool { return limbo(r, star) == 1 })
	return stream
}

func limbo(r *rig, star *fleets.Star) int {
	h, err := star.Serving.Health(context.Background())
	r.ok(err)
	return h.Limbo
}

// TestLimbo: a Finish that cannot land parks the leadership in limbo, lease retained, and goes on trying. What asks beside
// opens is refused as retryable. When the store is back the release lands by itself, with all that was acknowledged.
func TestLimbo(t *testing.T) {
	r := newRig(t, 1, fleets.Config{Stars: 3})
	stream := inLimbo(r, r.Stars[0])
	_, held := r.Lease(r.ID(stream))
	r.check(held, "the lease went")
	c := r.Scribe("c")
	_, err := r.tailAt(c, r.Stars[0], stream)
	r.check(peer.Is(err, peer.Retry), "the tail was answered with %v", err)
	r.Objects.SetDark(false)
	r.until("the release", func() bool { _, held := r.Lease(r.ID(stream)); return !held })
	r.check(r.marked(r.ID(stream)), "released without a mark")
	r.until("the end of limbo", func() bool { return limbo(r, r.Stars[0]) == 0 })
	r.done()
}

// TestTakeBack: before the mark is attempted, a departure may be taken back: an open joins the leadership in limbo, under the
// same epoch, and the departure walks away.
func TestTakeBack(t *testing.T) {
	r := newRig(t, 2, fleets.Config{Stars: 3})
	stream := inLimbo(r, r.Stars[0])
	before := r.Writer(r.ID(stream)).GetStreamEpoch()
	c := r.Scribe("c")
	opened := false
	c.Go("take back", func(ctx context.Context) {
		p, err := c.Open(ctx, stream, client.ProducerOptions{})
		if err == nil {
			_, err = p.Write(ctx)
		}
		if err != nil {
			t.Error(err)
		}
		opened = true
	})
	r.until("the take-back", func() bool { return limbo(r, r.Stars[0]) == 0 })
	r.check(r.Noted("departure taken back") == 1, "not taken back")
	r.Objects.SetDark(false)
	r.until("the append", func() bool { return opened })
	r.pass(5 * time.Second)
	_, held := r.Lease(r.ID(stream))
	r.check(held && r.Writer(r.ID(stream)).GetStreamEpoch() == before, "the departure went on all the same")
	r.done()
}

// TestNoReturn: from the first attempt to stamp the mark nothing is answered any more, whatever became of the attempt. The
// next leadership has a new epoch.
func TestNoReturn(t *testing.T) {
	for _, fate := range []sim.Fate{sim.Lost, sim.Refused} {
		t.Run(fate.String(), func(t *testing.T) {
			r := newRig(t, 3, fleets.Config{Stars: 3})
			star := r.Stars[0]
			stream := r.streamFor(star, peer.ModeAny, peer.ClassStandard)
			c := r.Scribe("c")
			pen := r.open(c, stream, client.ProducerOptions{})
			r.write(c, pen, 2)
			r.close(c, pen)
			attempted := false
			r.World.JudgeEffects(func(e sim.Effect) sim.Fate {
				if e.Step == "finish.mark" && e.Process == star.Process && e.Kind == "meta.put" {
					if !attempted {
						setRecordsDown(r, true) // so that the next try does not come at once
					}
					attempted = true
					return fate
				}
				return sim.Normal
			})
			r.until("limbo", func() bool { return limbo(r, star) == 1 })
			r.World.JudgeEffects(nil)
			r.check(attempted, "in limbo without an attempt")
			err := r.openAt(c, star, stream)
			r.check(peer.Is(err, peer.Retry), "an open behind the point of no return ended with %v", err)
			setRecordsDown(r, false)
			r.until("the release", func() bool { _, held := r.Lease(r.ID(stream)); return !held })
			pen = r.open(c, stream, client.ProducerOptions{})
			r.check(pen.Opened().Epoch == 2 && pen.Opened().Next == 2, "reopened with %+v", pen.Opened())
			r.done()
		})
	}
}

// TestLimboWhoseChainDies: a leadership in limbo whose chain epoch was fenced is abandoned when its star finds out: no mark, the
// lease dropped, and the stream goes on at the star that fenced.
func TestLimboWhoseChainDies(t *testing.T) {
	r := newRig(t, 4, fleets.Config{Stars: 3})
	star := r.Stars[0]
	stream := r.streamFor(star, peer.ModeAny, peer.ClassStandard)
	c := r.Scribe("left")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 2)
	r.Net.Partition([]string{star.Name}, []string{r.Objects.Endpoint()})
	c.Go("last words", func(ctx context.Context) { _, _ = pen.Write(ctx) })
	r.pass(time.Second)
	c.Kill()
	r.until("limbo", func() bool { return limbo(r, star) == 1 })

	r.Net.Isolate(star.Name)
	next := r.Scribe("next")
	pen = r.open(next, stream, client.ProducerOptions{})
	r.write(next, pen, 2)
	r.check(r.At(stream) != star, "led by the star that is cut off")
	r.Net.Heal()
	r.until("the end of limbo", func() bool { return limbo(r, star) == 0 })
	r.check(r.Noted("leadership abandoned") == 1, "abandoned %d times", r.Noted("leadership abandoned"))
	r.write(next, pen, 2)
	r.check(pen.Opened().Epoch == 2, "the live leadership was disturbed: %+v", pen.Opened())
	r.done()
}

// TestIdleReleaseOfManyStreams: one task serves the idle time-outs of all streams of a star.
func TestIdleReleaseOfManyStreams(t *testing.T) {
	r := newRig(t, 5, fleets.Config{Stars: 1})
	c := r.Scribe("c")
	for range 20 {
		stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
		pen := r.open(c, stream, client.ProducerOptions{})
		r.write(c, pen, 1)
		r.close(c, pen)
		r.pass(100 * time.Millisecond)
	}
	r.pass(leadership.IdleTimeout + 3*time.Second)
	led := r.ask(c, r.Stars[0], func(ctx context.Context, s peer.Star) error {
		h, err := s.Health(ctx)
		if h.Leading > 0 {
			t.Errorf("still leads %d streams", h.Leading)
		}
		return err
	})
	r.ok(led)
	r.done()
}
