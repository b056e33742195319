package leadership_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/stage"
	"github.com/novastream/nova/sim/workload"
)

// The branches of the gate, one story each: how a stream came to its last writer row, and what the next open does about it.

// released has a stream led by a star that wrote n lines, and released cleanly.
func released(r *rig, star *fleets.Star, n int) *workload.Stream {
	stream := r.streamFor(star, peer.ModeAny, peer.ClassStandard)
	c := r.Scribe("first")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, n)
	r.close(c, pen)
	r.pass(leadership.IdleTimeout + 2*time.Second)
	_, held := r.Lease(r.ID(stream))
	r.check(!held && r.marked(r.ID(stream)), "not released cleanly")
	return stream
}

// forgotten has a star take a stream's writer row and fail before it leads: the row names it, and it does not know the stream.
// What it had acknowledged under an earlier row is covered, as the gate saw to it.
func forgotten(r *rig, star *fleets.Star) *workload.Stream {
	stream := r.streamFor(star, peer.ModeAny, peer.ClassStandard)
	down := false
	r.Meta.OnWrite(func(w simmeta.Write) {
		if w.Key == keys.WriterRow(r.ID(stream)) && !down { // the read of the tail comes next
			down = true
			setRecordsDown(r, true)
		}
	})
	err := r.openAt(r.Scribe("unlucky"), star, stream)
	r.check(peer.Is(err, peer.Unavailable) && down, "the open ended with %v", err)
	setRecordsDown(r, false)
	r.until("the lease to be given back", func() bool { _, held := r.Lease(r.ID(stream)); return !held })
	return stream
}

func setRecordsDown(r *rig, down bool) {
	for i := range r.Meta.Shards(simmeta.Records) {
		r.Meta.SetDown(simmeta.Records, i, down)
	}
}

// reopen has a new client open the stream, write and read all back, at whichever star leads then.
func reopen(r *rig, stream *workload.Stream, next uint64) *fleets.Star {
	r.Helper()
	c := r.Scribe("next")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.check(pen.Opened().Next == next, "opened at %d, want %d", pen.Opened().Next, next)
	r.write(c, pen, 2)
	r.check(r.tail(c, stream) == next+2, "the tail is not %d", next+2)
	leader := r.At(stream)
	r.close(c, pen)
	return leader
}

// TestGateFresh: a stream that nobody ever led begins at 0; nobody is asked and nothing is fenced.
func TestGateFresh(t *testing.T) {
	r := newRig(t, 1, fleets.Config{Stars: 3})
	stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
	r.check(reopen(r, stream, 0) == r.Stars[0], "led elsewhere")
	r.check(r.Noted("gate fences")+r.Noted("stream certified") == 0, "somebody was fenced or asked")
	r.done()
}

// TestGateCoveredByMarkOnRefs: the mark on the last ref row is evidence enough, even where its star is dead: nobody fences.
func TestGateCoveredByMarkOnRefs(t *testing.T) {
	r := newRig(t, 2, fleets.Config{Stars: 3})
	stream := released(r, r.Stars[1], 3)
	r.Stars[1].Crash()
	r.check(reopen(r, stream, 3) != r.Stars[1], "led by the dead")
	r.check(r.Noted("gate fences") == 0, "the gate fenced, though the mark was there")
	r.done()
}

// TestGateCoveredByMarkOnWriterRow: a stream without ref rows bears its mark on the writer row.
func TestGateCoveredByMarkOnWriterRow(t *testing.T) {
	r := newRig(t, 3, fleets.Config{Stars: 3})
	stream := released(r, r.Stars[2], 0)
	r.Stars[2].Crash()
	r.check(reopen(r, stream, 0) != r.Stars[2], "led by the dead")
	r.check(r.Noted("gate fences") == 0, "the gate fenced, though the mark was there")
	r.done()
}

// TestGateDeadStarIsFencedOnce: the chain epoch of a dead star is fenced and settled by the first open; the settled row is
// evidence for every other stream of that epoch.
func TestGateDeadStarIsFencedOnce(t *testing.T) {
	r := newRig(t, 4, fleets.Config{Stars: 3})
	one := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
	two := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
	c := r.Scribe("c")
	r.write(c, r.open(c, one, client.ProducerOptions{}), 5)
	r.write(c, r.open(c, two, client.ProducerOptions{}), 7)
	row := r.Writer(r.ID(one))
	r.Stars[0].Crash() // within the second of an absorb: refs cover little
	r.check(reopen(r, one, 5) != r.Stars[0], "led by the dead")
	r.check(r.epoch(row).GetState() == records.ChainState_CHAIN_STATE_SETTLED, "the epoch is not settled: %v", r.epoch(row))
	fenced := r.takes("gate fences", func() { reopen(r, two, 7) })
	r.check(fenced == 0, "an epoch that is settled was fenced again")
	r.done()
}

// TestGateEarlierBoot: a star that comes back before its session has run out takes its own lease over, and fences what its
// earlier boot wrote. Mine is the boot id, never the identity.
func TestGateEarlierBoot(t *testing.T) {
	r := newRig(t, 5, fleets.Config{Stars: 1})
	stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassExpress)
	c := r.Scribe("c")
	r.write(c, r.open(c, stream, client.ProducerOptions{}), 6)
	before := r.Writer(r.ID(stream))
	r.Stars[0].Crash()
	r.Stars[0].Start()
	r.until("the new boot", func() bool { return r.Stars[0].Serving != nil })
	_, held := r.Lease(r.ID(stream))
	r.check(held, "the lease went before its session")
	reopen(r, stream, 6)
	after := r.Writer(r.ID(stream))
	r.check(after.GetStreamEpoch() > before.GetStreamEpoch() && after.GetChainEpoch() != before.GetChainEpoch(), "%v after %v", after, before)
	r.check(r.epoch(before).GetState() == records.ChainState_CHAIN_STATE_SETTLED, "the earlier epoch is not settled")
	r.done()
}

// TestGateOwnProcess: the row names a chain epoch that this very process writes. It covers itself, and asks nobody.
func TestGateOwnProcess(t *testing.T) {
	r := newRig(t, 6, fleets.Config{Stars: 3})
	stream := forgotten(r, r.Stars[0])
	before := r.Writer(r.ID(stream))
	r.check(reopen(r, stream, 0) == r.Stars[0], "led elsewhere")
	after := r.Writer(r.ID(stream))
	r.check(after.GetStreamEpoch() == before.GetStreamEpoch()+1 && after.GetChainEpoch() == before.GetChainEpoch(), "%v after %v", after, before)
	r.check(r.Noted("gate fences")+r.Noted("stream certified") == 0, "somebody was fenced or asked")
	r.done()
}

// TestGateCertified: the row names a live star that has forgotten the stream. Alive defers: it is asked, covers the stream and
// stamps the mark; the next who asks finds the mark.
func TestGateCertified(t *testing.T) {
	r := newRig(t, 7, fleets.Config{Stars: 3})
	stream := forgotten(r, r.Stars[0])
	c := r.Scribe("c")
	for _, s := range r.others(r.Stars[0]) {
		next, err := r.tailAt(c, s, stream)
		r.check(err == nil && next == 0, "%s answered %d, %v", s.Name, next, err)
	}
	r.check(r.Noted("stream certified") == 1, "certified %d times", r.Noted("stream certified"))
	r.check(r.marked(r.ID(stream)), "no mark")
	r.check(r.epoch(r.Writer(r.ID(stream))).GetState() == records.ChainState_CHAIN_STATE_ACTIVE, "a live star was fenced")
	r.done()
}

// TestGateLeads: the lease is gone, but the star leads: it says so, and the asker redirects to it and gives its lease back.
func TestGateLeads(t *testing.T) {
	r := newRig(t, 8, fleets.Config{Stars: 3})
	stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
	c := r.Scribe("c")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 3)
	loseLease(r, stream)
	for _, s := range r.others(r.Stars[0]) {
		_, err := r.tailAt(c, s, stream)
		var refusal *peer.Error
		r.check(asError(err, &refusal) && refusal.Code == peer.NotOwner && refusal.Addr == r.Stars[0].Name, "%s answered %v", s.Name, err)
	}
	r.write(c, pen, 3) // nobody was disturbed
	r.check(r.Writer(r.ID(stream)).GetStreamEpoch() == 1, "the epoch was bumped")
	r.done()
}

// loseLease takes a stream's lease away from under its leader.
func loseLease(r *rig, stream *workload.Stream) {
	r.Helper()
	id := r.ID(stream)
	c := r.Scribe("saboteur")
	rec, _ := r.Meta.Peek(simmeta.Ephemeral, keys.LeaseRow(id))
	r.ok(c.Do(func(ctx context.Context) error {
		leases := r.Meta.Spaces(c.Process).Ephemeral.Within(keys.StreamLocality(id))
		return leases.Delete(ctx, rec.Key, metaAt(rec.Version))
	}))
}

// TestGateDeparting: the star is in limbo with its lease gone: it can neither certify nor hand over yet.
func TestGateDeparting(t *testing.T) {
	r := newRig(t, 9, fleets.Config{Stars: 3})
	stream := inLimbo(r, r.Stars[0])
	loseLease(r, stream)
	c := r.Scribe("c")
	_, err := r.tailAt(c, r.Stars[1], stream)
	r.check(peer.Is(err, peer.Retry), "answered %v", err)
	r.done()
}

// TestGateFencedWhoeverLives: a chain epoch that somebody fenced is finished and settled, and its live star goes on in a new one.
func TestGateFencedWhoeverLives(t *testing.T) {
	r := newRig(t, 10, fleets.Config{Stars: 3})
	stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
	c := r.Scribe("c")
	pen := r.open(c, stream, client.ProducerOptions{})
	r.write(c, pen, 4)
	row := r.Writer(r.ID(stream))
	fenceRow(r, row)
	r.write(c, pen, 4) // what is durable before its star notices is below the cut
	r.until("the star to notice", func() bool { return r.epoch(row).GetState() == records.ChainState_CHAIN_STATE_SETTLED })
	r.write(c, pen, 4)
	r.check(r.epoch(row).GetState() == records.ChainState_CHAIN_STATE_SETTLED, "the fenced epoch is not settled: %v", r.epoch(row))
	r.check(r.Writer(r.ID(stream)).GetChainEpoch() != row.GetChainEpoch(), "the leadership outlived its chain epoch")
	r.done()
}

// fenceRow moves an epoch's row to fenced, as a fencer does that dies before it finds the cut.
func fenceRow(r *rig, w *records.Writer) {
	r.Helper()
	c := r.Scribe("fencer")
	r.ok(c.Do(func(ctx context.Context) error { return putFenced(ctx, r, c, w) }))
}

func putFenced(ctx context.Context, r *rig, c *stage.Scribe, w *records.Writer) error {
	star := keys.StarID(w.GetStar())
	key := keys.EpochRow(star, keys.Epoch(w.GetChainEpoch()))
	for {
		rec, _ := r.Meta.Peek(simmeta.Records, key)
		row := r.epoch(w)
		row.Fence()
		_, err := r.Meta.Spaces(c.Process).Records.Within(keys.ChainLocality(star)).Put(ctx, key, records.Encode(row), metaAt(rec.Version))
		if !isConflict(err) {
			return err
		}
	}
}

// TestGateDeleted: a deletion that stopped behind its point of no return is finished by the next open.
func TestGateDeleted(t *testing.T) {
	r := newRig(t, 11, fleets.Config{Stars: 3})
	stream := released(r, r.Stars[0], 2)
	id := r.ID(stream)
	c := r.Scribe("deleter")
	rec, _ := r.Meta.Peek(simmeta.Records, keys.WriterRow(id))
	w := r.Writer(id)
	w.Delete()
	r.ok(c.Do(func(ctx context.Context) error {
		_, err := r.Meta.Spaces(c.Process).Records.Within(keys.StreamLocality(id)).Put(ctx, rec.Key, records.Encode(w), metaAt(rec.Version))
		return err
	}))
	err := r.openAt(c, r.Stars[0], stream)
	r.check(peer.Is(err, peer.NotFound), "the open ended with %v", err)
	r.check(r.ID(stream) == "", "the descriptor is no tombstone")
	r.until("the lease to be given back", func() bool { _, held := r.Lease(id); return !held })
	r.Forget(stream)
	r.done()
}

// stale has every plain read answered from a random moment of the last seconds.
func stale(r *rig) {
	r.Meta.SetFaults(simmeta.Faults{StaleReads: sim.Always, StaleUpto: 5 * time.Second})
}

// TestGateStaleRowOfAnEndedEpoch: a chain epoch ends behind its prefix: two slots that its writer has no answer for are
// below the cut. Plain reads still show its row as active. A flush would cover the prefix alone; the gate waits until the epoch
// is settled.
func TestGateStaleRowOfAnEndedEpoch(t *testing.T) {
	for seed := range uint64(10) {
		r := newRig(t, seed, fleets.Config{Stars: 1})
		star := r.Stars[0]
		stream := r.streamFor(star, peer.ModeAny, peer.ClassExpress)
		c := r.Scribe("c")
		stale(r)
		pens := []*stage.Pen{r.open(c, stream, client.ProducerOptions{}), r.open(c, stream, client.ProducerOptions{})}
		r.write(c, pens[0], 3)
		row := r.Writer(r.ID(stream))
		for _, zone := range r.Zones {
			r.Net.Cut(zone.Endpoint(), star.Name) // puts arrive, answers do not
		}
		acked := 0
		for _, pen := range pens {
			c.Go("write", func(ctx context.Context) {
				if _, err := pen.Write(ctx); err == nil {
					acked++
				}
			})
			r.pass(20 * time.Millisecond)
		}
		r.fence(row)
		r.until("the end of the epoch", func() bool { return r.Noted("leadership abandoned") == 1 })
		next := r.Scribe("next")
		next.Go("open", func(ctx context.Context) {
			if pen, err := next.Open(ctx, stream, client.ProducerOptions{}); err == nil {
				_, _ = pen.Write(ctx)
			}
		})
		r.pass(3 * time.Second)
		r.Net.Heal()
		r.until("the appends", func() bool { return acked == 2 })
		r.done()
	}
}

// TestGateStaleAbsenceOfALiveEpoch: for a stale read the row of a chain epoch is not there yet. Nobody fences it for that, its
// own star least of all.
func TestGateStaleAbsenceOfALiveEpoch(t *testing.T) {
	for seed := range uint64(10) {
		r := newRig(t, seed, fleets.Config{Stars: 1})
		stale(r)
		r.Stars[0].Crash()
		r.Stars[0].Start()
		r.until("the new boot", func() bool { return r.Stars[0].Serving != nil })
		stream := forgotten(r, r.Stars[0])
		reopen(r, stream, 0)
		r.check(r.Noted("gate fences") == 0, "the star fenced itself")
		r.done()
	}
}
