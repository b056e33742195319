package oxiameta

import (
	"fmt"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// sequence submits unconditional puts p/000, p/001, ... to the shard of the locality, in this order.
func (w *world) sequence(n, valueBytes int) (writes []*write) {
	w.Helper()
	s, err := w.client.records.shardAt(w.ctx, route(locality))
	if err != nil {
		w.Fatal(err)
	}
	for i := range n {
		x := newWrite(&write{route: route(locality), put: &oxiav1.PutRequest{
			Key: fmt.Sprintf("p/%05d", i), Value: make([]byte, valueBytes), PartitionKey: proto.String(locality),
			ClientIdentity: proto.String(w.client.mark(nil)),
		}})
		if err := s.writer.submit(x); err != nil {
			w.Fatal(err)
		}
		writes = append(writes, x)
	}
	return writes
}

// A window of batches is under way and no more; what waits meanwhile travels together.
func TestWindow(t *testing.T) {
	const window = 3
	w := newWorld(t, oxiatest.Config{Namespaces: spacesOf(1)}, func(c *Config) { c.WriteWindow = window })
	w.put("p/a", "", meta.Absent())
	w.cluster.HoldAnswers(true)
	before := w.cluster.Calls("WriteStream")
	var writes []*write
	for i := range window {
		writes = append(writes, w.sequence(1, 0)...)
		w.eventually("a batch is under way", func() bool { return w.cluster.Calls("WriteStream") == before+i+1 })
	}
	writes = append(writes, w.sequence(20, 0)...)
	w.cluster.HoldAnswers(false)
	for _, x := range writes {
		if o := x.wait(w.ctx); o.err != nil {
			t.Fatal(o.err)
		}
	}
	if calls := w.cluster.Calls("WriteStream") - before; calls != window+1 {
		t.Errorf("%d requests for %d batches and what waited behind them", calls, window)
	}
}

// Batches keep to their cap, but for a write that alone is larger.
func TestBatchCap(t *testing.T) {
	const batchBytes = 4 << 10
	w := newWorld(t, oxiatest.Config{Namespaces: spacesOf(1)}, func(c *Config) { c.MaxBatchBytes, c.WriteWindow = batchBytes, 2 })
	var mu sync.Mutex
	batches := 0
	w.cluster.OnWrite(func(x oxiatest.Write) error {
		mu.Lock()
		defer mu.Unlock()
		batches++
		if size := proto.Size(x.Request); size > batchBytes && len(x.Request.GetPuts()) > 1 {
			t.Errorf("%d puts in %d bytes", len(x.Request.GetPuts()), size)
		}
		return nil
	})
	for _, x := range append(w.sequence(50, 1000), w.sequence(1, 100_000)...) {
		if o := x.wait(w.ctx); o.err != nil {
			t.Fatal(o.err)
		}
	}
	if batches > 30 {
		t.Errorf("%d batches for 50 puts of 1 KB and a large one", batches)
	}
}

// Writes reach the shard in the order of submit, while streams die with requests applied and not, and leaders move: no put
// is applied before all earlier ones have been.
func TestOrderOverFailures(t *testing.T) {
	const puts = 600
	w := newWorld(t, oxiatest.Config{Nodes: 3, Namespaces: spacesOf(1)}, func(c *Config) { c.MaxBatchBytes = 1 << 10 })
	var mu sync.Mutex
	applied, requests := 0, 0 // puts 0 to applied-1 have been
	w.cluster.OnApplied(func(x oxiatest.Write) error {
		mu.Lock()
		defer mu.Unlock()
		for _, put := range x.Request.GetPuts() {
			var n int
			if _, err := fmt.Sscanf(put.GetKey(), "p/%d", &n); err != nil {
				continue // the probe's
			}
			if n > applied {
				t.Errorf("put %d is applied before put %d", n, applied)
			}
			applied = max(applied, n+1)
		}
		if requests++; requests%7 == 0 {
			return oxiatest.Canceled() // lost after it was applied
		}
		return nil
	})
	w.cluster.OnWrite(func(oxiatest.Write) error {
		mu.Lock()
		defer mu.Unlock()
		if requests++; requests%11 == 0 {
			return oxiatest.Canceled() // lost before
		}
		return nil
	})
	writes := w.sequence(puts, 40)
	for i, x := range writes {
		if i%150 == 75 {
			w.cluster.MoveLeader(w.shard.ID, i%3)
		}
		if o := x.wait(w.ctx); o.err != nil {
			t.Fatalf("put %d: %v", i, o.err)
		}
	}
	recs, err := w.records.Fresh().Scan(w.ctx, "p", "", puts+1)
	if err != nil || len(recs) != puts {
		t.Errorf("%d of %d records, %v", len(recs), puts, err)
	}
}

// A batch is applied puts first, then deletes, then ranges: it ends where that is not the order of its writes.
func TestBatchesKeepOrder(t *testing.T) {
	put := func(key string) *write { return newWrite(&write{put: &oxiav1.PutRequest{Key: key}}) }
	del := func(key string) *write { return newWrite(&write{del: &oxiav1.DeleteRequest{Key: key}}) }
	span := func(from string) *write {
		return newWrite(&write{span: &oxiav1.DeleteRangeRequest{StartInclusive: from}})
	}
	barrier := func() *write { return newWrite(&write{}) }
	for _, c := range []struct {
		name  string
		queue []*write
		want  []string // of each batch: its puts, deletes and ranges
	}{
		{"puts", []*write{put("a"), put("b")}, []string{"a b||"}},
		{"delete and put again", []*write{put("a"), del("a"), put("a")}, []string{"a|a|", "a||"}},
		{"a range ends it", []*write{del("a"), span("b"), del("b"), put("c")}, []string{"|a|b", "|b|", "c||"}},
		{"barriers join", []*write{put("a"), barrier(), del("b"), barrier()}, []string{"a|b|"}},
		{"barriers alone", []*write{barrier(), barrier()}, []string{"|" + scratchKey + "|"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for left := c.queue; len(left) > 0; {
				var b *batch
				b, left = fill(left, 1<<20)
				got = append(got, keysOf(b.req))
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func keysOf(req *oxiav1.WriteRequest) string {
	text := ""
	for i, put := range req.GetPuts() {
		if i > 0 {
			text += " "
		}
		text += put.GetKey()
	}
	text += "|"
	for _, del := range req.GetDeletes() {
		text += del.GetKey()
	}
	text += "|"
	for _, span := range req.GetDeleteRanges() {
		text += span.GetStartInclusive()
	}
	return text
}
