package absorb_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/novastream/nova/core/absorb"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

func simmetaAbsent() meta.Expect           { return meta.Absent() }
func simmetaAt(v meta.Version) meta.Expect { return meta.At(v) }
func notFound(err error) bool              { return errors.Is(err, meta.ErrNotFound) }
func (r *rig) stepped(name string) (n uint64) {
	for _, c := range r.world.Counters().Steps() {
		if c.Name == name {
			n = c.Times
		}
	}
	return n
}

// TestAbsorb writes many streams for some seconds: rows follow, a few a second and not one per flight, and the checkpoint.
func TestAbsorb(t *testing.T) {
	r := newRig(t, 1)
	s := r.boot("a")
	r.until(time.Minute, func() bool { _, ok := s.writer.Current(); return ok })
	var ids []keys.StreamID
	for i := range 20 {
		ids = append(ids, keys.StreamID(fmt.Sprintf("s%d", i)))
	}
	r.do(s.p, func(ctx context.Context) {
		for _, id := range ids {
			s.open(ctx, id)
		}
		for range 200 {
			for _, id := range ids {
				s.append(id, 40)
			}
			_ = s.p.Sleep(ctx, 20*time.Millisecond)
		}
		_ = s.absorber.Drained(ctx)
	})
	if rows := r.stepped("absorb.row"); rows > 20*8 {
		t.Errorf("%d rows for 4 seconds of 20 streams", rows)
	}
	for _, id := range ids {
		if r.tail(id) != 200 || s.absorber.Resident(id) {
			t.Errorf("stream %s is covered up to %d, resident %v", id, r.tail(id), s.absorber.Resident(id))
		}
	}
	if s.absorber.Backlog() != 0 {
		t.Errorf("backlog %v", s.absorber.Backlog())
	}
	r.pass(time.Second)
	steps := r.world.Steps()
	r.pass(time.Hour)
	if r.world.Steps() != steps {
		t.Errorf("an idle hour took %d steps", r.world.Steps()-steps)
	}
	s.p.Kill()
	r.settleAll("a")
	r.check(ids...)
}

// TestByTimeFollowsRows finds each row by the stamp of its last record: the index is written with the row.
func TestByTimeFollowsRows(t *testing.T) {
	r := newRig(t, 1)
	s := r.boot("a")
	r.until(time.Minute, func() bool { _, ok := s.writer.Current(); return ok })
	r.do(s.p, func(ctx context.Context) {
		s.open(ctx, "s")
		for range 30 {
			s.append("s", 40)
			_ = s.p.Sleep(ctx, 100*time.Millisecond)
		}
		_ = s.absorber.Drained(ctx)
		m := s.env.Meta.Records.Within(keys.StreamLocality("s"))
		for _, row := range r.rows("s") {
			hit, err := m.FloorIndex(ctx, keys.IndexByTime, keys.ByTimePrefix("s"), keys.ByTime("s", row.Value.LastStampUs, row.First))
			if err != nil || hit.Record.Key != keys.RefRow("s", row.First) {
				t.Errorf("row %d by its stamp %d: %v, %v", row.First, row.Value.LastStampUs, hit, err)
			}
		}
	})
}

// TestFlushCovers releases a stream at once after its last append.
func TestFlushCovers(t *testing.T) {
	for seed := range uint64(20) {
		r := newRig(t, seed)
		s := r.boot("a")
		r.meta.SetFaults(simmeta.Faults{StaleReads: 30 * sim.Percent, StaleUpto: 5 * time.Second, LoseAfter: 5 * sim.Percent})
		r.until(time.Minute, func() bool { _, ok := s.writer.Current(); return ok })
		r.do(s.p, func(ctx context.Context) {
			for range 5 {
				s.open(ctx, "s")
				for range 10 {
					s.append("s", 400)
				}
				_ = s.p.Sleep(ctx, time.Duration(seed)*100*time.Millisecond)
				s.release(ctx, "s")
				if s.absorber.Resident("s") {
					t.Error("resident after a flush")
				}
			}
		})
		s.p.Kill()
		r.meta.SetFaults(simmeta.Faults{})
		r.settleAll("a")
		r.check("s")
	}
}

// TestDeadSlotToSettled poisons a live star's next slot: it closes its epoch, mints anew, settles the old one behind, and
// its stream goes on.
func TestDeadSlotToSettled(t *testing.T) {
	r := newRig(t, 1)
	s := r.boot("a")
	r.until(time.Minute, func() bool { _, ok := s.writer.Current(); return ok })
	first, _ := s.writer.Current()
	r.do(s.p, func(ctx context.Context) {
		s.open(ctx, "s")
		for range 5 {
			s.append("s", 2100)
		}
		_ = s.writer.Settled(ctx, "s")
		header := format.Header{Star: "a", Boot: s.env.Boot, Epoch: first, Slot: 7, Class: records.Class_CLASS_STANDARD}
		_, _ = r.blob.Client(s.p).PutIfAbsent(ctx, header.Key(), format.EncodePoison(header, format.Poison{By: "x"}))
		for range 6 {
			s.append("s", 2100)
		}
	})
	r.until(time.Minute, func() bool { now, ok := s.writer.Current(); return ok && now != first })
	r.do(s.p, func(ctx context.Context) {
		_ = s.absorber.Drained(ctx)
		s.open(ctx, "s")
		s.append("s", 10)
		_ = s.writer.Settled(ctx, "s")
	})
	if row := r.epoch("a", first); row.State != records.ChainState_CHAIN_STATE_SETTLED || !row.ClosedByOwner || row.GetCut() != 7 {
		t.Errorf("the first epoch: %v", row)
	}
	r.pass(time.Minute)
	for _, info := range r.blob.All(keys.EpochObjects("a", first)) {
		if _, _, slot, _ := keys.ParseSlotObject(info.Key); slot >= 7 {
			t.Errorf("%s is left at or above the cut", info.Key)
		}
	}
	if len(r.failed) != 4 || r.tail("s") < 7 {
		t.Errorf("%d appends failed, the refs end at %d", len(r.failed), r.tail("s"))
	}
	s.p.Kill()
	r.settleAll("a")
	r.check("s")
}

func (r *rig) epoch(star keys.StarID, epoch keys.Epoch) *records.ChainEpoch {
	row := &records.ChainEpoch{}
	if rec, ok := r.meta.Peek(simmeta.Records, keys.EpochRow(star, epoch)); ok {
		_ = records.Decode(rec.Key, rec.Value, row)
	}
	return row
}

// TestDeletedStreamIsSkipped deletes a stream that has windows in an unsettled epoch: no row is made for it, and the epoch
// settles.
func TestDeletedStreamIsSkipped(t *testing.T) {
	r := newRig(t, 1)
	s := r.boot("a")
	r.until(time.Minute, func() bool { _, ok := s.writer.Current(); return ok })
	r.do(s.p, func(ctx context.Context) {
		s.open(ctx, "kept")
		s.open(ctx, "gone")
		for range 5 {
			s.append("kept", 900)
			s.append("gone", 900)
		}
		_ = s.writer.Settled(ctx, "gone")
		m := s.env.Meta.Records.Within(keys.StreamLocality("gone"))
		rec, _ := m.Get(ctx, keys.WriterRow("gone"))
		row := r.writerRow("gone")
		row.Delete()
		if _, err := m.Put(ctx, rec.Key, records.Encode(row), meta.At(rec.Version)); err != nil {
			t.Error(err)
		}
		_ = s.absorber.Drained(ctx)
	})
	s.p.Kill()
	r.settleAll("a")
	if len(r.rows("gone")) != 0 || r.tail("kept") != 5 {
		t.Errorf("rows of the deleted stream: %v; the other ends at %d", r.rows("gone"), r.tail("kept"))
	}
	if r.epoch("a", 1).State != records.ChainState_CHAIN_STATE_SETTLED {
		t.Error("the epoch is not settled")
	}
}

// TestHoleStopsItsStreamAlone writes a window above the tail, as no correct leader does: that stream stops, loudly; the
// others go on, and the checkpoint stays below the hole.
func TestHoleStopsItsStreamAlone(t *testing.T) {
	r := newRig(t, 1)
	s := r.boot("a")
	r.until(time.Minute, func() bool { _, ok := s.writer.Current(); return ok })
	r.do(s.p, func(ctx context.Context) {
		s.open(ctx, "good")
		s.open(ctx, "bad")
		s.led["bad"].next = 7
		for range 3 {
			s.append("bad", 900)
			s.append("good", 900)
			_ = s.p.Sleep(ctx, 2*time.Second)
		}
		_ = s.p.Sleep(ctx, 10*time.Second)
		var hole *absorb.HoleError
		if err := s.absorber.Flush(ctx, "bad"); !errors.As(err, &hole) || hole.Stream != "bad" {
			t.Errorf("flush of the stream: %v", err)
		}
		if err := s.absorber.Flush(ctx, "good"); err != nil {
			t.Errorf("flush of the other: %v", err)
		}
	})
	if r.tail("good") != 3 || len(r.rows("bad")) != 0 {
		t.Errorf("good ends at %d, bad has %d rows", r.tail("good"), len(r.rows("bad")))
	}
	if r.epoch("a", 1).Checkpoint != 0 {
		t.Errorf("the checkpoint moved to %d", r.epoch("a", 1).Checkpoint)
	}
	s.p.Kill()
	u := r.boot("b")
	r.do(u.p, func(ctx context.Context) {
		var holes *absorb.HolesError
		err := absorb.Settle(ctx, u.env, u.stores, "a", 1)
		if !errors.As(err, &holes) || !holes.Concerns("bad") || holes.Concerns("good") {
			t.Errorf("settle: %v", err)
		}
	})
}

// lateCommitter lets a committer create at a key that was settled away since it read the tail: the row it makes is not
// last, and reaches past the key of the last one.
func lateCommitter(t testing.TB, bugs planted.Set) *rig {
	r := newRig(t, 1)
	r.bugs = bugs
	s := r.boot("a")
	r.until(time.Minute, func() bool { _, ok := s.writer.Current(); return ok })
	r.do(s.p, func(ctx context.Context) {
		s.open(ctx, "s")
		for range 6 { // one window a slot
			s.append("s", 10)
			_ = s.writer.Settled(ctx, "s")
		}
	})
	s.p.Kill()
	late := r.life("b")
	r.world.JudgeEffects(func(e sim.Effect) sim.Fate { // it stops right before its create
		if e.Process == late.p && e.Step == "settle.row" {
			late.p.Pause()
			r.world.JudgeEffects(nil)
		}
		return sim.Normal
	})
	late.p.Go("settle", func(ctx context.Context) { _ = absorb.Settle(ctx, late.env, late.stores, "a", 1) })
	r.until(time.Minute, func() bool { return late.p.Paused() })
	// Meanwhile the tail has come to 4, and the rows below the last one are settled away: key 0 is free again.
	other := r.life("c")
	r.do(other.p, func(ctx context.Context) {
		row := &records.RefRow{End: 4, Epoch: 1, Spans: r.windows("a", 1, 6)[3:4]}
		if _, err := refs.Create(ctx, other.env.Meta.Records, "s", 3, row); err != nil {
			t.Fatal(err)
		}
	})
	late.p.Resume()
	r.pass(time.Minute)
	return r
}

// TestRedundantRow shows that the late committer deletes its redundant row, and goes on from the true tail.
func TestRedundantRow(t *testing.T) {
	r := lateCommitter(t, planted.Set{})
	if r.epoch("a", 1).State != records.ChainState_CHAIN_STATE_SETTLED || r.tail("s") != 6 {
		t.Errorf("the epoch is %v, the refs end at %d", r.epoch("a", 1).State, r.tail("s"))
	}
	if rows := r.rows("s"); rows[0].First == 0 {
		t.Errorf("the redundant row [%d,%d) is still there", rows[0].First, rows[0].End())
	}
	if len(r.broken) > 0 {
		t.Error(r.broken[0])
	}
}

// TestCreateIsNotCoverage plants the bug: the late committer takes its create for coverage, and marks settled what the
// tail does not reach.
func TestCreateIsNotCoverage(t *testing.T) {
	r := lateCommitter(t, planted.Of(planted.CreateIsCoverage))
	if len(r.broken) == 0 {
		t.Error("not found")
	}
}

// windows are the spans of a stream with one window in each slot.
func (r *rig) windows(star keys.StarID, epoch keys.Epoch, slots int) (spans []*records.SpanEntry) {
	for slot := range keys.Slot(slots) {
		key := keys.SlotObject(star, epoch, slot)
		object, _ := r.blob.Peek(key)
		o, err := format.Decode(key, object)
		if err != nil {
			r.Fatal(err)
		}
		for _, e := range o.Entries {
			spans = append(spans, &records.SpanEntry{
				Chain: string(star), Epoch: uint64(epoch), Slot: uint64(slot), Offset: e.Offset, Length: e.Length,
				First: uint64(e.First), Count: e.Count, StreamEpoch: uint64(e.StreamEpoch), Codec: uint32(e.Codec), Crc: e.CRC,
			})
		}
	}
	return spans
}

// TestAStopIsNoFailure: settling that the stop of the process cuts short is left for the next boot, and nobody is told of it
// as a failure.
func TestAStopIsNoFailure(t *testing.T) {
	r := newRig(t, 12)
	s := r.boot("star-a")
	r.do(s.p, func(ctx context.Context) { s.open(ctx, "s1") })
	epoch, _ := s.writer.Current()
	r.blob.SetDark(true)
	s.absorber.Closed(epoch, 0)
	r.pass(time.Second)
	s.p.Stop()
	r.pass(time.Minute)
	for _, c := range r.world.Counters().Notes() {
		if c.Name == "settling failed" || c.Name == "sweep failed" {
			t.Errorf("noted %q", c.Name)
		}
	}
}
