package reads_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/stage"
	"github.com/novastream/nova/sim/workload"
)

// rig is a fleet with one stream in it.
type rig struct {
	testing.TB
	*stage.Stage
	stream *workload.Stream
	c      *stage.Scribe
	pen    *stage.Pen
}

func newRig(t testing.TB, seed uint64, class peer.Class) *rig {
	w := sim.New(sim.Config{Seed: seed})
	t.Cleanup(w.Close)
	r := &rig{TB: t, Stage: stage.New(w, fleets.Config{Stars: 3})}
	r.ok(r.Boot())
	var err error
	r.stream, err = r.Create("s", peer.ModeAny, class)
	r.ok(err)
	r.c = r.Scribe("c")
	r.ok(r.c.Do(func(ctx context.Context) (err error) {
		r.pen, err = r.c.Open(ctx, r.stream, client.ProducerOptions{})
		return err
	}))
	return r
}

func (r *rig) ok(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// write appends n lines, and waits until refs cover them where covered says so.
func (r *rig) write(n int, covered bool) {
	r.Helper()
	r.ok(r.c.Do(func(ctx context.Context) error { return r.pen.WriteAll(ctx, n) }))
	if covered {
		r.ok(r.Pass(3 * time.Second))
	}
}

// fetch asks one star, and gives what it answered.
func (r *rig) fetch(star *fleets.Star, req peer.FetchRequest) (reply peer.FetchReply, err error) {
	r.Helper()
	req.Stream = r.stream.Name
	r.ok(r.c.Do(func(ctx context.Context) error {
		ctx, cancel := r.c.WithTimeout(ctx, time.Minute)
		defer cancel()
		reply, err = r.c.Star(star).Fetch(ctx, req)
		return nil
	}))
	return reply, err
}

// others are the stars that do not lead the stream.
func (r *rig) others() (all []*fleets.Star) {
	for _, s := range r.Stars {
		if s != r.At(r.stream) {
			all = append(all, s)
		}
	}
	return all
}

// vacate closes the handle and waits until nobody leads.
func (r *rig) vacate() {
	r.Helper()
	r.ok(r.c.Do(r.pen.Close))
	r.ok(r.World.RunUntil(time.Minute, func() bool { _, held := r.Lease(r.ID(r.stream)); return !held }))
}

// spans are the entries of all ref rows of the stream.
func (r *rig) spans() (all []*records.SpanEntry) {
	for _, rec := range r.Meta.All(simmeta.Records, keys.RefsPrefix(r.ID(r.stream))+"/") {
		row := &records.RefRow{}
		r.ok(records.Decode(rec.Key, rec.Value, row))
		all = append(all, row.Spans...)
	}
	return all
}

func slotOf(s *records.SpanEntry) string {
	return keys.SlotObject(keys.StarID(s.GetChain()), keys.Epoch(s.GetEpoch()), keys.Slot(s.GetSlot()))
}

// TestFetchByAnyone: below the refs tail every star answers; beyond it those that do not lead redirect to the leader, who has
// the rest in its tail window.
func TestFetchByAnyone(t *testing.T) {
	r := newRig(t, 1, peer.ClassStandard)
	r.write(10, true)
	r.write(5, false)
	leader := r.At(r.stream)
	for _, s := range r.Stars {
		reply, err := r.fetch(s, peer.FetchRequest{From: 3, MaxCount: 4})
		if err != nil || len(reply.Records) != 4 || reply.Records[0].Seq != 3 || reply.Next != 7 {
			t.Errorf("%s: %+v, %v", s.Name, reply, err)
		}
	}
	for _, s := range r.others() {
		_, err := r.fetch(s, peer.FetchRequest{From: 14})
		var refusal *peer.Error
		if !errors.As(err, &refusal) || refusal.Code != peer.NotOwner || refusal.Addr != leader.Name {
			t.Errorf("%s answered %v", s.Name, err)
		}
	}
	reply, err := r.fetch(leader, peer.FetchRequest{From: 8})
	if err != nil || reply.Next < 10 {
		t.Errorf("the leader: %+v, %v", reply, err)
	}
	if r.Noted("record lost") > 0 {
		t.Error("a read that ran into what refs do not cover yet was taken for a loss")
	}
}

// TestFetchWaitsAtTheTail: a reader who waits is answered by the next append; one whose wait ends is told that it is at the tail,
// confirmed by the barrier where it asked for that.
func TestFetchWaitsAtTheTail(t *testing.T) {
	r := newRig(t, 2, peer.ClassExpress)
	r.write(2, true)
	leader := r.At(r.stream)
	r.World.After(3*time.Second, func() {
		r.c.Go("append", func(ctx context.Context) { _, _ = r.pen.Write(ctx) })
	})
	reply, err := r.fetch(leader, peer.FetchRequest{From: 2, Wait: 10 * time.Second})
	if err != nil || len(reply.Records) != 1 || reply.Records[0].Seq != 2 {
		t.Fatalf("%+v, %v", reply, err)
	}
	for _, linearizable := range []bool{false, true} {
		before := r.Crossed("append.put")
		reply, err = r.fetch(leader, peer.FetchRequest{From: 3, Wait: 2 * time.Second, Linearizable: linearizable})
		if err != nil || !reply.AtTail || reply.Next != 3 || len(reply.Records) > 0 {
			t.Fatalf("%+v, %v", reply, err)
		}
		if sealed := r.Crossed("append.put") > before; sealed != linearizable {
			t.Errorf("linearizable %v: a flight was sealed: %v", linearizable, sealed)
		}
	}
}

// TestFetchWaitsForTheEndOfAZombie: a linearizable read that waits at a zombie is not told at its end that nothing came.
func TestFetchWaitsForTheEndOfAZombie(t *testing.T) {
	for seed := range uint64(5) {
		r := newRig(t, seed, peer.ClassStandard)
		r.write(2, true)
		zombie := r.At(r.stream)
		for _, s := range append(r.others(), &fleets.Star{Name: "meta"}) {
			r.Net.Partition([]string{zombie.Name}, []string{s.Name})
		}
		var reply peer.FetchReply
		var err error
		done := false
		r.c.Go("wait", func(ctx context.Context) {
			reply, err = r.c.Star(zombie).Fetch(ctx, peer.FetchRequest{Stream: r.stream.Name, From: 2, Wait: 90 * time.Second, Linearizable: true})
			done = true
		})
		next := r.Scribe("next")
		r.ok(next.Do(func(ctx context.Context) error {
			pen, err := next.Open(ctx, r.stream, client.ProducerOptions{})
			if err != nil {
				return err
			}
			return pen.WriteAll(ctx, 2)
		}))
		r.ok(r.World.RunUntil(stage.Patience, func() bool { return done || r.World.Now() > 3*time.Minute }))
		if done && err == nil && len(reply.Records) == 0 {
			t.Errorf("seed %d: the zombie said that nothing came: %+v", seed, reply)
		}
	}
}

// TestFetchOfAVacantStream: any star answers to the end, and waits there for a leader that may come.
func TestFetchOfAVacantStream(t *testing.T) {
	r := newRig(t, 3, peer.ClassStandard)
	r.write(4, false)
	r.vacate()
	for _, s := range r.Stars {
		reply, err := r.fetch(s, peer.FetchRequest{From: 0})
		if err != nil || len(reply.Records) != 4 {
			t.Errorf("%s: %+v, %v", s.Name, reply, err)
		}
		reply, err = r.fetch(s, peer.FetchRequest{From: 4, Linearizable: true})
		if err != nil || !reply.AtTail || reply.Next != 4 {
			t.Errorf("%s: %+v, %v", s.Name, reply, err)
		}
		reply, err = r.fetch(s, peer.FetchRequest{From: 4, Wait: 3 * time.Second})
		if err != nil || !reply.AtTail {
			t.Errorf("%s: %+v, %v", s.Name, reply, err)
		}
	}
}

// TestPoisonedCopiesAreSkipped: below the cut a zone may hold poison instead of its copy; the others serve.
func TestPoisonedCopiesAreSkipped(t *testing.T) {
	r := newRig(t, 4, peer.ClassExpress)
	dark := r.Zones[0]
	dark.SetDark(true)
	r.write(4, true)
	span := r.spans()[0]
	key := slotOf(span)
	poison := format.EncodePoison(format.Header{
		Star: keys.StarID(span.GetChain()), Boot: "b", Epoch: keys.Epoch(span.GetEpoch()), Slot: keys.Slot(span.GetSlot()), Class: records.Class_CLASS_EXPRESS,
	}, format.Poison{By: "someone", Boot: "b", Reason: "test"})
	r.ok(r.Pass(time.Minute)) // the writer has given up on the missing copy
	dark.SetDark(false)
	p := r.Scribe("poisoner")
	r.ok(p.Do(func(ctx context.Context) error {
		_, err := dark.Client(p.Process).PutIfAbsent(ctx, key, poison)
		return err
	}))
	for _, s := range r.others() {
		reply, err := r.fetch(s, peer.FetchRequest{From: 0, MaxCount: 1})
		if err != nil || len(reply.Records) != 1 {
			t.Errorf("%s: %+v, %v", s.Name, reply, err)
		}
	}
}

// TestDamagedReads: a copy that comes with a flipped bit is read again; one that is damaged in its store is passed over for
// another; where all are, the record is lost, and that is loud.
func TestDamagedReads(t *testing.T) {
	r := newRig(t, 5, peer.ClassExpress)
	r.write(6, true)
	for _, zone := range r.Zones {
		zone.SetFaults(simblob.Faults{FlipBits: 30 * sim.Percent})
	}
	for _, s := range r.others() {
		if reply, err := r.fetch(s, peer.FetchRequest{From: 0}); err != nil || len(reply.Records) == 0 {
			t.Errorf("%s: %+v, %v", s.Name, reply, err)
		}
	}
	for _, zone := range r.Zones {
		zone.SetFaults(simblob.Faults{})
	}
	r.write(3, true) // in no cache
	for _, span := range r.spans() {
		for _, zone := range r.Zones[:2] {
			zone.Damage(slotOf(span), int(span.GetOffset())*8+3)
		}
	}
	star := r.others()[0]
	if reply, err := r.fetch(star, peer.FetchRequest{From: 6}); err != nil || len(reply.Records) == 0 {
		t.Errorf("with one intact copy: %+v, %v", reply, err)
	}
	for _, span := range r.spans() {
		r.Zones[2].Damage(slotOf(span), int(span.GetOffset())*8+3)
	}
	_, err := r.fetch(r.others()[1], peer.FetchRequest{From: 6})
	if !peer.Is(err, peer.Internal) || r.Noted("record lost") != 1 {
		t.Errorf("with no intact copy: %v, %d notes", err, r.Noted("record lost"))
	}
	if said := err.Error(); strings.Contains(said, "no ref row") || strings.Contains(said, "\n") || !strings.Contains(said, "is corrupt") {
		t.Errorf("it says %q", said)
	}
}

// TestUnreachableIsNotLost: while a store that may have a copy does not answer, the answer is unavailable, not loss.
func TestUnreachableIsNotLost(t *testing.T) {
	r := newRig(t, 6, peer.ClassStandard)
	r.write(3, true)
	r.Objects.SetDark(true)
	_, err := r.fetch(r.others()[0], peer.FetchRequest{From: 0})
	if !peer.Is(err, peer.Unavailable) || r.Noted("record lost") > 0 {
		t.Errorf("%v, %d notes", err, r.Noted("record lost"))
	}
}

// TestReadersWalk: a floor row that names a slot which is gone sends the reader to the row before it, which covers the seq too.
func TestReadersWalk(t *testing.T) {
	r := newRig(t, 7, peer.ClassStandard)
	r.ok(r.c.Do(func(ctx context.Context) error {
		b := peer.Batch{}
		for range 6 {
			b.Records = append(b.Records, r.Line(r.stream).Records...)
		}
		_, err := r.pen.Append(ctx, b)
		return err
	}))
	r.ok(r.Pass(3 * time.Second))
	span := r.spans()[0]
	id := r.ID(r.stream)
	ghost := &records.RefRow{End: 6, Builder: "ghost", Epoch: 1, Spans: []*records.SpanEntry{{
		Chain: span.GetChain(), Epoch: span.GetEpoch(), Slot: 1 << 30, Length: 10, First: 1, Count: 5, StreamEpoch: 1,
	}}}
	p := r.Scribe("ghost")
	r.ok(p.Do(func(ctx context.Context) error {
		_, err := r.Meta.Spaces(p.Process).Records.Within(keys.StreamLocality(id)).Put(ctx, keys.RefRow(id, 1), records.Encode(ghost), meta.Any())
		return err
	}))
	for from := range uint64(6) {
		reply, err := r.fetch(r.others()[0], peer.FetchRequest{From: from, MaxCount: 1})
		if err != nil || len(reply.Records) != 1 || reply.Records[0].Seq != from {
			t.Errorf("from %d: %+v, %v", from, reply, err)
		}
	}
}

// TestPages: a reader goes through a long stream page by page, by count and by bytes, at any offset, and misses nothing.
func TestPages(t *testing.T) {
	r := newRig(t, 8, peer.ClassStandard)
	r.ok(r.c.Do(func(ctx context.Context) error {
		for i := range 40 {
			b := peer.Batch{}
			for j := range 5 {
				b.Records = append(b.Records, peer.Record{
					Body:    fmt.Appendf(nil, "%d", i*5+j),
					Headers: []peer.Header{{Name: []byte("n"), Value: fmt.Appendf(nil, "%d", j)}},
				})
			}
			if _, err := r.pen.Append(ctx, b); err != nil {
				return err
			}
			if i%10 == 0 {
				_ = r.c.Sleep(ctx, 1500*time.Millisecond)
			}
		}
		return nil
	}))
	for _, req := range []peer.FetchRequest{{MaxCount: 1}, {MaxCount: 7}, {MaxBytes: 1}, {MaxBytes: 50}, {}, {MaxCount: 1 << 30, MaxBytes: 1 << 40}} {
		for from := uint64(0); from < 200; {
			req.From = from
			reply, err := r.fetch(r.At(r.stream), req)
			if err != nil || len(reply.Records) == 0 || reply.Records[0].Seq != from || reply.Next != from+uint64(len(reply.Records)) {
				t.Fatalf("%+v: %d records, next %d, %v", req, len(reply.Records), reply.Next, err)
			}
			if req.MaxCount > 0 && len(reply.Records) > req.MaxCount {
				t.Fatalf("%+v: %d records", req, len(reply.Records))
			}
			for _, rec := range reply.Records {
				if string(rec.Body) != fmt.Sprint(rec.Seq) || string(rec.Headers[0].Value) != fmt.Sprint(rec.Seq%5) || rec.Timestamp.IsZero() {
					t.Fatalf("record %d is %+v", rec.Seq, rec)
				}
			}
			from = reply.Next
		}
	}
}
