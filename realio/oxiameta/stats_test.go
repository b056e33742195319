package oxiameta

import (
	"testing"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// Stats tell how far the window is used: what is under way, what waits behind a full window and how long it did, and the
// tries that were made again.
func TestStats(t *testing.T) {
	const window = 3
	w := newWorld(t, oxiatest.Config{Namespaces: spacesOf(1)}, func(c *Config) { c.WriteWindow = window })
	w.put("p/a", "", meta.Absent())
	w.eventually("its answer is counted", func() bool { return w.stats().Unanswered == 0 })
	before := w.stats()
	w.cluster.HoldAnswers(true)
	var writes []*write
	for i := range window {
		writes = append(writes, w.sequence(1, 0)...)
		w.eventually("a batch is under way", func() bool { return w.stats().Unanswered == i+1 })
	}
	writes = append(writes, w.sequence(20, 0)...)
	w.eventually("the others wait", func() bool { s := w.stats(); return s.Queued == 20 && s.Batches == before.Batches+window })
	w.eventually("their wait is counted", func() bool { // each that comes makes the writer look, and count
		writes = append(writes, w.sequence(1, 0)...)
		return w.stats().Full > before.Full
	})
	w.cluster.HoldAnswers(false)
	for _, x := range writes {
		if o := x.wait(w.ctx); o.err != nil {
			t.Fatal(o.err)
		}
	}
	w.eventually("all is answered", func() bool { return w.stats().Unanswered == 0 })
	s := w.stats()
	if s.Batches-before.Batches != window+1 || s.Writes-before.Writes != uint64(len(writes)) {
		t.Errorf("%+v after %+v", s, before)
	}
	for n := range window { // the last batch went when one or more of the others had been answered
		if s.Use[n] == before.Use[n] {
			t.Errorf("none was sent with %d under way: %v after %v", n+1, s.Use, before.Use)
		}
	}
	w.eventually("a try is made again", func() bool { // where the stream is lost under a write, not between two
		w.cluster.CancelStreams(w.shard.ID)
		w.put("p/b", "", meta.Any())
		return w.stats().Retries > 0
	})
}

// stats are those of the shard of the locality.
func (w *world) stats() ShardStats {
	w.Helper()
	for _, s := range w.client.Stats().Shards {
		if s.Namespace == "records" && s.Shard == w.shard.ID {
			return s
		}
	}
	w.Fatal("the shard has no stats")
	return ShardStats{}
}
