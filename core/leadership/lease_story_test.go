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
	"github.com/novastream/nova/sim/simmeta"
)

func setEphemeralDown(r *rig, down bool) {
	for i := range r.Meta.Shards(simmeta.Ephemeral) {
		r.Meta.SetDown(simmeta.Ephemeral, i, down)
	}
}

// TestOrphanedLeaseHeals: a lease whose release was lost stands with no leadership behind it. Other stars redirect to its
// holder; the first open there re-attaches it and serves. The heal is counted and told with the age of the lease.
func TestOrphanedLeaseHeals(t *testing.T) {
	r := newRig(t, 1, fleets.Config{Stars: 3})
	star := r.Stars[0]
	stream := r.streamFor(star, peer.ModeFenced, peer.ClassStandard)
	c := r.Scribe("c")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 2)
	r.World.JudgeEffects(func(e sim.Effect) sim.Fate {
		if e.Process == star.Process && e.Kind == "meta.delete" {
			return sim.Refused
		}
		return sim.Normal
	})
	r.close(c, pen)
	r.until("the release to be given up", func() bool { return r.Noted("lease left as an orphan") == 1 })
	r.World.JudgeEffects(nil)
	_, held := r.Lease(r.ID(stream))
	r.check(held && limbo(r, star) == 0, "no orphan")

	other := r.openAt(r.Scribe("other"), r.Stars[1], stream)
	r.check(peer.Is(other, peer.NotOwner), "another star answered %v", other)
	healed := r.takes("orphaned lease healed", func() { pen = r.open(c, stream, client.ProducerOptions{}) })
	r.check(healed == 1 && pen.Opened().Next == 2, "healed %d times, opened with %+v", healed, pen.Opened())
	r.write(c, pen, 2)
	r.close(c, pen)
	r.until("the release", func() bool { _, held := r.Lease(r.ID(stream)); return !held })
	r.done()
}

// TestLostAcquisition: the answer of an acquisition is lost. The open finds out by reading whether the lease is its own.
func TestLostAcquisition(t *testing.T) {
	for _, fate := range []sim.Fate{sim.Lost, sim.Refused} {
		t.Run(fate.String(), func(t *testing.T) {
			r := newRig(t, 2, fleets.Config{Stars: 3})
			stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
			hit := false
			r.World.JudgeEffects(func(e sim.Effect) sim.Fate {
				if e.Step == "open.lease" && e.Kind == "meta.put-ephemeral" && !hit {
					hit = true
					return fate
				}
				return sim.Normal
			})
			reopen(r, stream, 0)
			r.check(hit, "no acquisition")
			r.done()
		})
	}
}

// TestSessionLoss: a star loses its session while producers append. It registers again and re-attaches the leases it still
// leads; appends go on meanwhile, under the same epoch: the epoch guard protects, not the lease.
func TestSessionLoss(t *testing.T) {
	r := newRig(t, 3, fleets.Config{Stars: 3})
	star := r.Stars[0]
	c := r.Scribe("c")
	for range 5 {
		stream := r.streamFor(star, peer.ModeAny, peer.ClassStandard)
		pen := r.open(c, stream, client.ProducerOptions{})
		c.Go("append", func(ctx context.Context) {
			for i := 0; c.Sleep(ctx, 100*time.Millisecond) == nil; i++ {
				if ack, err := pen.Write(ctx); err != nil || ack.First != uint64(i) {
					t.Errorf("append %d: %+v, %v", i, ack, err)
				}
			}
		})
	}
	r.pass(5 * time.Second)
	r.check(r.Meta.ExpireSession(star.Name), "no session")
	r.check(len(r.Meta.All(simmeta.Ephemeral, "streams/")) == 0, "the leases outlived their session")
	r.until("the leases", func() bool { return len(r.Meta.All(simmeta.Ephemeral, "streams/")) == 5 })
	r.pass(5 * time.Second)
	r.check(r.Noted("leadership abandoned") == 0, "abandoned though nobody took over")
	r.done()
}

// TestSessionLossWhileTheMetastoreErrs: the re-attaching of leases is tried until it succeeds.
func TestSessionLossWhileTheMetastoreErrs(t *testing.T) {
	r := newRig(t, 4, fleets.Config{Stars: 1})
	stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
	c := r.Scribe("c")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 1)
	r.Meta.ExpireSession(r.Stars[0].Name)
	r.until("the new registration", func() bool { return r.Noted("registered again: the session had ended") == 1 })
	setEphemeralDown(r, true)
	r.pass(3 * time.Second)
	setEphemeralDown(r, false)
	r.until("the lease", func() bool { _, held := r.Lease(r.ID(stream)); return held })
	r.write(c, pen, 1)
	r.done()
}

// TestLimboKeepsItsLease: a leadership in limbo re-attaches its lease, too.
func TestLimboKeepsItsLease(t *testing.T) {
	r := newRig(t, 5, fleets.Config{Stars: 3})
	stream := inLimbo(r, r.Stars[0])
	r.Meta.ExpireSession(r.Stars[0].Name)
	_, held := r.Lease(r.ID(stream))
	r.check(!held, "the lease outlived its session")
	r.until("the lease", func() bool { _, held := r.Lease(r.ID(stream)); return held })
	r.check(limbo(r, r.Stars[0]) == 1, "not in limbo any more")
	r.done()
}

// TestLeaseOutlivesItsStar: a metastore that misbehaves keeps the rows of a dead star. Its stats stand still, so after twice
// the session time-out the star counts as dead and its lease is taken over.
func TestLeaseOutlivesItsStar(t *testing.T) {
	r := newRig(t, 6, fleets.Config{Stars: 3})
	r.Meta.SetFaults(simmeta.Faults{Outlive: sim.Always, OutliveUpto: 24 * time.Hour})
	stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
	c := r.Scribe("c")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 3)
	r.Stars[0].Crash()
	began := r.World.Now()
	r.write(c, pen, 3)
	r.check(r.Noted("lease taken over") == 1, "the lease was not taken over")
	took := r.World.Now() - began
	r.check(took > 2*r.SessionTimeOut() && took < 4*r.SessionTimeOut(), "served again after %v", took)
	r.done()
}

// TestLeaseOutlivesItsRegistration: only the lease of a dead star is kept. Opens are refused as retryable while a session may
// still run out, and take the lease over when none can.
func TestLeaseOutlivesItsRegistration(t *testing.T) {
	r := newRig(t, 7, fleets.Config{Stars: 3})
	star := r.Stars[0]
	stream := r.streamFor(star, peer.ModeAny, peer.ClassStandard)
	c := r.Scribe("c")
	r.write(c, r.open(c, stream, client.ProducerOptions{}), 3)
	c.Kill()
	id := star.Serving.ID()
	r.Meta.SetFaults(simmeta.Faults{Outlive: sim.Always, OutliveUpto: 24 * time.Hour})
	star.Crash()
	r.pass(r.SessionTimeOut() + time.Second)
	r.unregister(id)

	began := r.World.Now()
	var refused error
	for r.World.Now()-began < 10*time.Second {
		for _, other := range r.others(star) {
			if err := r.openAt(r.Scribe("asker"), other, stream); !peer.Is(err, peer.NotOwner) {
				refused = err
			}
		}
		r.pass(time.Second)
	}
	r.check(peer.Is(refused, peer.Retry), "answered %v", refused)
	reopen(r, stream, 3)
	r.check(r.Noted("lease taken over") == 1, "the lease was not taken over")
	r.done()
}

// TestHandoverAtCleanStop: a star stops while producers append. It finishes every stream, redirects, and the designate parks
// their opens until the leases have moved; nothing is fenced, nothing is lost, and nobody waits for a session to run out.
func TestHandoverAtCleanStop(t *testing.T) {
	for seed := range uint64(5) {
		r := newRig(t, seed, fleets.Config{Stars: 3})
		star := r.Stars[0]
		var slowest time.Duration
		for _, class := range []peer.Class{peer.ClassStandard, peer.ClassExpress} {
			for _, mode := range []peer.Mode{peer.ModeAny, peer.ModeFenced} {
				stream := r.streamFor(star, mode, class)
				c := r.Scribe("c")
				pen := r.open(c, stream, client.ProducerOptions{ExactlyOnce: mode == peer.ModeFenced})
				c.Go("append", func(ctx context.Context) {
					for c.Sleep(ctx, 50*time.Millisecond) == nil {
						began := r.World.Now()
						if _, err := pen.Write(ctx); err != nil {
							t.Errorf("seed %d: %s: %v", seed, stream.Name, err)
						}
						slowest = max(slowest, r.World.Now()-began)
					}
				})
			}
		}
		r.pass(5 * time.Second)
		star.Stop(30 * time.Second)
		r.until("the stop", func() bool { return !star.Alive() })
		r.pass(5 * time.Second)
		r.check(r.Noted("star stopped") == 1 && r.Noted("gate fences") == 0, "%d stops, %d fences", r.Noted("star stopped"), r.Noted("gate fences"))
		r.check(slowest < leadership.TransferGrace+time.Second, "a producer waited for %v", slowest)
		r.done()
	}
}

// TestParking: while a star that stops cannot finish a stream, an open at the designate waits for the lease to move, up to the
// transfer grace and not beyond the caller's deadline, and is then refused as retryable.
func TestParking(t *testing.T) {
	r := newRig(t, 8, fleets.Config{Stars: 2})
	stuck := inLimbo(r, r.Stars[0])
	r.Stars[0].Stop(time.Minute)
	r.pass(time.Second) // the drain is published
	c := r.Scribe("c")
	for _, patience := range []time.Duration{time.Minute, 500 * time.Millisecond} {
		r.ok(c.Do(func(ctx context.Context) error {
			ctx, cancel := c.WithTimeout(ctx, patience)
			defer cancel()
			began := r.World.Now()
			_, err := c.Star(r.Stars[1]).OpenSession(ctx, peer.OpenRequest{Stream: stuck.Name})
			took := r.World.Now() - began
			r.check(err != nil && took >= min(patience, leadership.TransferGrace) && took < min(patience, leadership.TransferGrace)+200*time.Millisecond,
				"with a patience of %v the open ended after %v with %v", patience, took, err)
			return nil
		}))
	}
	err := r.openAt(c, r.Stars[0], stuck)
	r.check(peer.Is(err, peer.Retry), "the star in limbo answered %v", err)
	r.Objects.SetDark(false)
	r.until("the stop", func() bool { return !r.Stars[0].Alive() })
	r.done()
}

// TestStopLeavesNothing: after a clean stop every chain epoch is closed by its owner and settled, every lease and the
// registration are gone, and streams that nobody produces to are marked clean.
func TestStopLeavesNothing(t *testing.T) {
	r := newRig(t, 9, fleets.Config{Stars: 3})
	stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassExpress)
	c := r.Scribe("c")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 4)
	row := r.Writer(r.ID(stream))
	id := r.Stars[0].Serving.ID()
	r.Stars[0].Stop(30 * time.Second)
	r.until("the stop", func() bool { return !r.Stars[0].Alive() })
	epoch := r.epoch(row)
	r.check(epoch.GetClosedByOwner() && epoch.GetState() == settledState, "the epoch is %v", epoch)
	_, held := r.Lease(r.ID(stream))
	r.check(!held && r.marked(r.ID(stream)) && !r.registered(id), "lease %v, marked %v, registered %v", held, r.marked(r.ID(stream)), r.registered(id))
	r.done()
}

// TestStopWithLimbo: streams that cannot be finished do not keep the others; what is left when the budget is spent is covered
// by the next opens.
func TestStopWithLimbo(t *testing.T) {
	r := newRig(t, 10, fleets.Config{Stars: 3})
	star := r.Stars[0]
	c := r.Scribe("c")
	express := r.streamFor(star, peer.ModeAny, peer.ClassExpress)
	r.write(c, r.open(c, express, client.ProducerOptions{}), 3)
	stuck := inLimbo(r, star)
	star.Stop(10 * time.Second)
	r.until("the stop", func() bool { return !star.Alive() })
	_, held := r.Lease(r.ID(express))
	r.check(!held && r.marked(r.ID(express)), "the stream of the bright stores was not finished")
	r.Objects.SetDark(false)
	reopen(r, express, 3)
	r.tail(c, stuck)
	r.done()
}
