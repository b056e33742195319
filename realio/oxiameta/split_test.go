package oxiameta

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// Shards split under a client, again and again; its records stay where they belong, with and without a locality.
func TestSplits(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Nodes: 2, Namespaces: spacesOf(1), FrameItems: 3})
	all := w.client.Spaces().Records
	var versions [40]meta.Version
	for round := range 4 {
		for i := range versions {
			expect := meta.At(versions[i])
			if round == 0 {
				expect = meta.Absent()
			}
			var err error
			versions[i], err = all.PutIndexed(w.ctx, fmt.Sprintf("p/%02d", i), []byte(fmt.Sprint(round)), expect,
				[]meta.Index{{Name: "x", Key: fmt.Sprintf("s/%02d", i)}})
			w.wants("put", err, nil)
		}
		shards := w.cluster.Shards("records")
		w.cluster.Split(shards[round%len(shards)].ID)
		recs, err := all.Fresh().Scan(w.ctx, "p", "", 100)
		if err != nil || len(recs) != len(versions) || recs[17].Key != "p/17" || recs[17].Version != versions[17] {
			t.Fatalf("round %d: scan gives %d records, %v", round, len(recs), err)
		}
		hits, err := all.Fresh().ScanIndex(w.ctx, "x", "s/", "s/04", 10)
		if err != nil || len(hits) != 10 || hits[0].Secondary != "s/05" || hits[9].Record.Key != "p/14" {
			t.Fatalf("round %d: scan of the index gives %v, %v", round, hits, err)
		}
	}
	if n := len(w.cluster.Shards("records")); n != 5 {
		t.Errorf("%d shards after 4 splits", n)
	}
	w.wants("delete on all shards", all.DeleteChildren(w.ctx, "p"), nil)
	recs, err := all.Fresh().Scan(w.ctx, "p", "", 100)
	if err != nil || len(recs) != 0 {
		t.Errorf("%d records are left, %v", len(recs), err)
	}
}

// What splits of real servers do to acknowledged changes, and why shards of theirs must not be split: the child refuses
// conditional puts of the parent's log, and the record falls back. The client cannot tell.
func TestLossySplit(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Namespaces: spacesOf(1), LossySplits: true})
	w.put("p/other", "", meta.Absent()) // so that versions count differently at the child that does not have it
	elsewhere := w.client.Spaces().Records
	for i := range 5 {
		if _, err := elsewhere.Put(w.ctx, fmt.Sprintf("e/%d", i), nil, meta.Absent()); err != nil {
			t.Fatal(err)
		}
	}
	v := w.put("p/k", "first", meta.Absent())
	w.put("p/k", "second", meta.At(v))
	w.cluster.Split(w.shard.ID)
	rec, err := w.records.Fresh().Get(w.ctx, "p/k")
	if err != nil || string(rec.Value) != "first" {
		t.Errorf("after the split: %q, %v", rec.Value, err)
	}
}

// Writes are under way when their shard splits: those that were applied are found, those that were not go on where that
// does no harm.
func TestSplitUnderWrites(t *testing.T) {
	for _, c := range []struct {
		name             string
		expect           func(meta.Version) meta.Expect
		applied, dropped error
	}{
		{"put of anything", func(meta.Version) meta.Expect { return meta.Any() }, nil, nil},
		{"change", meta.At, nil, meta.ErrUnknown}, // versions over a split prove nothing
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, applied := range []bool{true, false} {
				w := newWorld(t, oxiatest.Config{Namespaces: spacesOf(1)})
				v := w.put("p/k", "old", meta.Absent())
				lose := once("p/k", oxiatest.Canceled())
				hook := func(x oxiatest.Write) error {
					err := lose(x)
					if err != nil {
						w.cluster.Split(w.shard.ID)
					}
					return err
				}
				want := c.dropped
				if applied {
					want = c.applied
					w.cluster.OnApplied(hook)
				} else {
					w.cluster.OnWrite(hook)
				}
				_, err := w.records.Put(w.ctx, "p/k", []byte("new"), c.expect(v))
				w.wants(fmt.Sprintf("applied %v", applied), err, want)
			}
		})
	}
}

// Writes, reads and deletes of all shards wait for a shard that splits before they reach it.
func TestSplitBeforeCalls(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Namespaces: spacesOf(2)})
	w.cluster.HoldAssignments(true)
	w.cluster.Split(w.shard.ID)
	all := w.client.Spaces().Records
	waiting := []pending{
		w.goes(func() error { _, err := w.records.Put(w.ctx, "p/k", nil, meta.Absent()); return err }),
		w.goes(func() error { _, err := all.Fresh().Scan(w.ctx, "p", "", 1); return err }),
		w.goes(func() error { return all.DeleteChildren(w.ctx, "q") }),
		w.goes(func() error { _, err := w.records.PutEphemeral(w.ctx, "p/e", nil, meta.Absent()); return err }),
	}
	w.eventually("the writes try the shard that is gone", func() bool { return w.cluster.Calls("CreateSession") > 1 })
	w.cluster.HoldAssignments(false)
	for _, p := range waiting {
		w.wants("a call over a split", w.outcome(p), nil)
	}
}

// A server that is behind tells assignments of before a split; they are not believed, until it is clear that it is the
// newer ones that were taken back.
func TestStaleAssignments(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Namespaces: spacesOf(1)})
	w.put("p/k", "", meta.Absent())
	old := w.cluster.Assignments("records")
	w.cluster.Split(w.shard.ID)
	w.eventually("the split is known", func() bool { return len(tableOf(w)) == 2 })
	w.cluster.Publish("records", old)
	w.eventually("the old assignments are refused", func() bool {
		w.client.records.mu.Lock()
		defer w.client.records.mu.Unlock()
		return w.client.records.trouble != nil
	})
	if n := len(tableOf(w)); n != 2 {
		t.Errorf("%d shards: assignments of before the split were believed", n)
	}
	w.put("p/k", "", meta.Any())
	w.eventually("the old assignments are believed in the end", func() bool { return len(tableOf(w)) == 1 })
}

func tableOf(w *world) []*shard {
	table, err := w.client.records.shards(w.ctx)
	if err != nil {
		w.Fatal(err)
	}
	return table
}

// Assignments that do not cover the ring are not taken.
func TestBadAssignments(t *testing.T) {
	span := func(id int64, low, high uint32) *oxiav1.ShardAssignment {
		return &oxiav1.ShardAssignment{Shard: id, ShardBoundaries: &oxiav1.ShardAssignment_Int32HashRange{
			Int32HashRange: &oxiav1.Int32HashRange{MinHashInclusive: low, MaxHashInclusive: high},
		}}
	}
	const top = 1<<32 - 1
	for _, c := range []struct {
		name   string
		ranges []*oxiav1.ShardAssignment
		good   bool
	}{
		{"whole", []*oxiav1.ShardAssignment{span(0, 0, top)}, true},
		{"in any order", []*oxiav1.ShardAssignment{span(9, 11, top), span(3, 0, 10)}, true},
		{"none", nil, false},
		{"gap", []*oxiav1.ShardAssignment{span(0, 0, 10), span(1, 12, top)}, false},
		{"overlap", []*oxiav1.ShardAssignment{span(0, 0, 10), span(1, 10, top)}, false},
		{"end missing", []*oxiav1.ShardAssignment{span(0, 0, top-1)}, false},
		{"inverted", []*oxiav1.ShardAssignment{span(0, 0, 10), span(1, 11, 5)}, false},
	} {
		all := &oxiav1.NamespaceShardsAssignment{Assignments: c.ranges, ShardKeyRouter: oxiav1.ShardKeyRouter_SHARD_KEY_ROUTER_XXHASH3}
		if err := checkAssignments(all); (err == nil) != c.good {
			t.Errorf("%s: %v", c.name, err)
		}
		all = proto.Clone(all).(*oxiav1.NamespaceShardsAssignment)
		all.ShardKeyRouter = oxiav1.ShardKeyRouter_SHARD_KEY_ROUTER_UNSPECIFIED
		if checkAssignments(all) == nil {
			t.Errorf("%s: assignments without a router are taken", c.name)
		}
	}
}
