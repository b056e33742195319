package chain_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/sim"
)

// TestAppendToDurable writes a burst through each store set, without faults.
func TestAppendToDurable(t *testing.T) {
	for _, stores := range []int{1, 3, 5} {
		t.Run(fmt.Sprintf("%d stores", stores), func(t *testing.T) {
			r := newRig(t, 1, stores)
			s := r.boot("a")
			s.writing()
			for i := range 200 {
				s.append(fmt.Sprintf("s%d", i%7), 100)
			}
			s.barrier()
			r.until(time.Minute, func() bool { return r.acked == 200 && r.barriers == 1 })
			if s.writer.Admitted() != 0 {
				t.Errorf("%d bytes are still held as admitted", s.writer.Admitted())
			}
			var err error
			r.do(s.p, func(ctx context.Context) { err = s.close(ctx) })
			if err != nil {
				t.Fatal(err)
			}
			if r.row("a", 1).GetCut() != uint64(s.prefix[1]) || !r.row("a", 1).GetClosedByOwner() {
				t.Errorf("the closed epoch is %v; its prefix ends at %d", r.row("a", 1), s.prefix[1])
			}
			r.check("a")
		})
	}
}

// TestLoneProducerPaysNoLinger measures one batch at a time, with a linger that would show.
func TestLoneProducerPaysNoLinger(t *testing.T) {
	r := newRig(t, 1, 1)
	p, e := r.env("a")
	set := r.set(p)
	set.Linger = 10 * time.Second
	s := &star{rig: r, p: p, env: e, ended: map[keys.Epoch]bool{}, closed: map[keys.Epoch]keys.Slot{}, next: map[keys.StreamID]keys.Seq{}, prefix: map[keys.Epoch]keys.Slot{}}
	s.writer = chain.NewWriter(e, set, s)
	p.Go("writer", s.writer.Run)
	s.writing()
	for i := range 5 {
		s.append("s", 10)
		r.until(time.Second, func() bool { return r.acked == i+1 })
	}
}

// TestIdleStarCostsNothing lets an idle star stand for an hour: no put, no metastore write, no timer, no task but its loop.
func TestIdleStarCostsNothing(t *testing.T) {
	r := newRig(t, 1, 3)
	s := r.boot("a")
	s.writing()
	s.append("s", 10)
	r.until(time.Minute, func() bool { return r.acked == 1 })
	r.pass(time.Second)
	puts, steps := r.puts(), r.world.Steps()
	r.pass(time.Hour)
	if r.puts() != puts || r.world.Steps() != steps || s.p.Tasks() != 1 {
		t.Errorf("an idle hour took %d puts and %d steps; %d tasks live", r.puts()-puts, r.world.Steps()-steps, s.p.Tasks())
	}
}

// TestWindowHoldsBack keeps a store dark: never more than a window of slots is under way.
func TestWindowHoldsBack(t *testing.T) {
	r := newRig(t, 1, 1)
	s := r.boot("a")
	s.writing()
	r.blobs[0].SetDark(true)
	for range 100 {
		s.append("s", 1500)
	}
	r.pass(30 * time.Second)
	if tasks := s.p.Tasks(); tasks > 1+4 {
		t.Errorf("%d tasks; the window is 4", tasks)
	}
	if r.acked > 0 {
		t.Errorf("%d batches are acknowledged without a store", r.acked)
	}
	r.blobs[0].SetDark(false)
	r.until(time.Minute, func() bool { return r.acked == 100 })
}

// TestDarkZone writes on while one of three zones is dark, bounded in memory, and catches up on the last copies after.
func TestDarkZone(t *testing.T) {
	r := newRig(t, 1, 3)
	s := r.boot("a")
	s.writing()
	r.blobs[2].SetDark(true)
	for i := range 300 {
		s.append("s", 1500)
		r.until(time.Minute, func() bool { return r.acked == i+1 })
	}
	if tasks := s.p.Tasks(); tasks > 1+2*4 {
		t.Errorf("%d tasks try to reach the dark zone", tasks)
	}
	r.blobs[2].SetDark(false)
	r.pass(time.Minute)
	last := keys.SlotObject("a", 1, s.prefix[1]-1)
	if r.copies(last) != 3 {
		t.Errorf("the last slot has %d copies after the zone came back", r.copies(last))
	}
	r.fenceAll("a")
	r.check("a")
}

// TestPoisonBesideDarkZone has a fencer poison the next slot in two of three zones, of which one then is dark, so that nobody can
// tell what becomes of the slot: the writer ends its epoch all the same and goes on in the next.
func TestPoisonBesideDarkZone(t *testing.T) {
	r := newRig(t, 1, 3)
	s := r.boot("a")
	s.writing()
	s.append("s", 10)
	r.until(time.Minute, func() bool { return r.acked == 1 })
	r.pass(time.Second)
	r.blobs[0].SetDark(true)
	if cut, err := r.fencer("b").end("a", 1); err != nil || cut != 1 {
		t.Fatalf("cut %d, %v; want 1", cut, err)
	}
	r.blobs[0].SetDark(false)
	r.blobs[2].SetDark(true)
	s.append("s", 10) // into the fenced epoch: its row is not read again before
	r.until(20*time.Second, func() bool { return s.ended[1] })
	s.writing()
	s.append("s", 10)
	r.until(20*time.Second, func() bool { return r.acked == 2 })
	r.blobs[2].SetDark(false)
	r.fenceAll("a")
	r.check("a")
}

// TestOwnCopyOnRetry loses the answers of puts: the retry meets its own first try, which is a copy and no rival.
func TestOwnCopyOnRetry(t *testing.T) {
	r := newRig(t, 1, 3)
	s := r.boot("a")
	s.writing()
	for _, b := range r.blobs {
		b.SetFaults(lossy(40 * sim.Percent))
	}
	for i := range 50 {
		s.append("s", 1500)
		r.until(time.Hour, func() bool { return r.acked == i+1 })
	}
	if s.ended[1] {
		t.Error("the epoch ended")
	}
	r.heal()
	r.fenceAll("a")
	r.check("a")
}

// TestFlippedReadIsNoRival damages reads of one's own copy: it stays unknown until a whole read tells.
func TestFlippedReadIsNoRival(t *testing.T) {
	r := newRig(t, 1, 1)
	s := r.boot("a")
	s.writing()
	faults := lossy(60 * sim.Percent)
	faults.FlipBits = 50 * sim.Percent
	r.blobs[0].SetFaults(faults)
	for i := range 50 {
		s.append("s", 500)
		r.until(time.Hour, func() bool { return r.acked == i+1 })
	}
	if s.ended[1] {
		t.Error("the epoch ended")
	}
}

// TestSettledWaits shows that a stream counts as settled only once nothing of it is undecided.
func TestSettledWaits(t *testing.T) {
	r := newRig(t, 1, 1)
	s := r.boot("a")
	epoch := s.writing()
	r.blobs[0].SetDark(true)
	s.append("s", 10)
	id := keys.StreamID(fmt.Sprintf("s-%s-%d", s.env.Boot, epoch))
	settled := false
	s.p.Go("settled", func(ctx context.Context) { settled = s.writer.Settled(ctx, id) == nil })
	r.pass(20 * time.Second)
	if settled {
		t.Error("settled while a flight with the stream is in flight")
	}
	r.blobs[0].SetDark(false)
	r.until(time.Minute, func() bool { return settled })
	if r.acked != 1 {
		t.Error("settled, but not resolved")
	}
}

// TestAppendToAnotherEpoch refuses what a leadership of another epoch sends.
func TestAppendToAnotherEpoch(t *testing.T) {
	r := newRig(t, 1, 1)
	s := r.boot("a")
	epoch := s.writing()
	if err := s.writer.Append(chain.Batch{Epoch: epoch + 1}); !errors.Is(err, chain.ErrEnded) {
		t.Errorf("append: %v", err)
	}
	if err := s.writer.Barrier(epoch+1, func(chain.Outcome) { t.Error("resolved") }); !errors.Is(err, chain.ErrEnded) {
		t.Errorf("barrier: %v", err)
	}
}
