package oxiameta

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// Leaders move, and reads and writes go where they went: by the assignments, by a hint, in the old and the new encoding.
func TestLeaderMoves(t *testing.T) {
	for _, c := range []struct {
		name         string
		legacy, hint bool
		held         bool // the assignments do not tell
	}{
		{name: "told by the assignments"},
		{name: "told by the assignments, hints also", hint: true},
		{name: "told by a hint alone", hint: true, held: true},
		{name: "told by a hint of an old server", hint: true, held: true, legacy: true},
		{name: "told by the assignments of an old server", legacy: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, oxiatest.Config{Nodes: 3, Legacy: c.legacy})
			w.cluster.SetHints(c.hint)
			w.cluster.HoldAssignments(c.held)
			v := w.put("p/k", "0", meta.Absent())
			for round := range 6 {
				w.cluster.MoveLeader(w.shard.ID, round%3)
				value := fmt.Sprint(round)
				if round%2 == 0 {
					v = w.put("p/k", value, meta.At(v))
				}
				if rec, err := w.records.Get(w.ctx, "p/k"); err != nil || rec.Version != v {
					t.Fatalf("round %d: got %v at %d, want %d", round, err, rec.Version, v)
				}
			}
		})
	}
}

// A write waits for a shard without a leader, and is not harmed by it.
func TestEmptyLeader(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Nodes: 2})
	w.cluster.Unlead(w.shard.ID)
	ctx, cancel := context.WithTimeout(w.ctx, 50*time.Millisecond)
	defer cancel()
	_, err := w.records.Put(ctx, "p/k", nil, meta.Absent())
	w.wants("a put that reaches nobody", err, meta.ErrUnavailable)
	_, err = w.records.Get(ctx, "p/k")
	w.wants("a get that reaches nobody", err, context.DeadlineExceeded)
	put := w.goes(func() error { _, err := w.records.Put(w.ctx, "p/k", nil, meta.Absent()); return err })
	w.cluster.MoveLeader(w.shard.ID, 1)
	w.wants("a put that waited for a leader", w.outcome(put), nil)
}

// The client's own time-out is an outcome of its own.
func TestRequestTimeout(t *testing.T) {
	w := newWorld(t, oxiatest.Config{}, func(c *Config) { c.RequestTimeout = 50 * time.Millisecond })
	w.cluster.Unlead(w.shard.ID)
	_, err := w.records.Get(w.ctx, "p/k")
	w.wants("get", err, meta.ErrUnavailable)
	_, err = w.records.Fresh().Get(w.ctx, "p/k")
	w.wants("fresh get", err, meta.ErrUnavailable)
	_, err = w.records.Put(w.ctx, "p/k", nil, meta.Any())
	w.wants("put", err, meta.ErrUnavailable)
	_, err = w.client.Spaces().Records.Scan(w.ctx, "p", "", 1)
	w.wants("scan of all shards", err, meta.ErrUnavailable)
	w.wants("delete of all shards", w.client.Spaces().Records.DeleteChildren(w.ctx, "p"), meta.ErrUnknown)
}

// A node dies and comes back, with the leadership elsewhere meanwhile or not.
func TestNodesDie(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Nodes: 2})
	v := w.put("p/k", "0", meta.Absent())
	w.cluster.MoveLeader(w.shard.ID, 0)
	for round := range 3 {
		w.cluster.StopNode(0)
		put := w.goes(func() (err error) {
			v, err = w.records.Put(w.ctx, "p/k", []byte(fmt.Sprint(round)), meta.Any())
			return err
		})
		if round%2 == 0 {
			w.cluster.MoveLeader(w.shard.ID, 1)
		}
		if err := w.cluster.StartNode(0); err != nil {
			t.Fatal(err)
		}
		w.wants("put over a restart", w.outcome(put), nil)
		w.wantRecord("p/k", fmt.Sprint(round), v)
		w.cluster.MoveLeader(w.shard.ID, 0)
	}
}

// A hundred readers of a shard that refuses them do not storm its server.
func TestNoStorm(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Nodes: 1})
	w.cluster.HoldAssignments(true)
	w.cluster.Unlead(w.shard.ID)
	before := w.cluster.Calls("Read")
	ctx, cancel := context.WithTimeout(w.ctx, time.Second)
	defer cancel()
	var readers sync.WaitGroup
	for range 100 {
		readers.Go(func() {
			_, err := w.records.Get(ctx, "p/k")
			w.wants("get of a shard in trouble", err, context.DeadlineExceeded)
		})
	}
	readers.Wait()
	if calls := w.cluster.Calls("Read") - before; calls > 100+20 {
		t.Errorf("100 readers made %d calls in a second of trouble", calls)
	}
	w.cluster.MoveLeader(w.shard.ID, 0)
	w.cluster.HoldAssignments(false)
	w.put("p/k", "v", meta.Absent())
}

// A deposed leader that does not know it answers plain reads from its past. Fresh reads are not fooled: they wait for a
// server that acknowledges.
func TestFreshReads(t *testing.T) {
	w := newWorld(t, oxiatest.Config{Nodes: 2})
	w.put("p/k", "old", meta.Absent())
	from, to := w.shard.Leader, 1-w.shard.Leader
	w.cluster.Depose(w.shard.ID, to)
	w.behind(to, newPutRequest("p/k", "new"))
	rec, err := w.records.Get(w.ctx, "p/k")
	if err != nil || string(rec.Value) != "old" {
		t.Fatalf("plain get: got %q, %v; a leader of the past at node %d was to answer", rec.Value, err, from)
	}
	fresh := w.records.Fresh()
	reads := []struct {
		name string
		read func() (string, error)
	}{
		{"get", func() (string, error) { rec, err := fresh.Get(w.ctx, "p/k"); return string(rec.Value), err }},
		{"floor", func() (string, error) { rec, err := fresh.FloorGet(w.ctx, "p", "z"); return string(rec.Value), err }},
		{"scan", func() (string, error) {
			recs, err := fresh.Scan(w.ctx, "p", "", 10)
			if err != nil || len(recs) != 1 {
				return "", fmt.Errorf("%d records, %w", len(recs), err)
			}
			return string(recs[0].Value), nil
		}},
	}
	got := make([]string, len(reads))
	var waiting []pending
	for i, r := range reads {
		waiting = append(waiting, w.goes(func() (err error) { got[i], err = r.read(); return err }))
	}
	w.eventually("a fresh read asks for proof", func() bool { return w.cluster.Calls("WriteStream") > 1 })
	w.cluster.MoveLeader(w.shard.ID, to)
	for i, p := range waiting {
		if err := w.outcome(p); err != nil || got[i] != "new" {
			t.Errorf("fresh %s: got %q, %v", reads[i].name, got[i], err)
		}
	}
}
