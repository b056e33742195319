package oxiameta

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// Stats are the numbers of a client since it was opened.
type Stats struct {
	Window       int    // Config.WriteWindow
	SessionsLost uint64 // that the servers ended before this client did
	Shards       []ShardStats
}

// ShardStats are the numbers of one shard. Those of a shard that was split end with it.
type ShardStats struct {
	Service   string // "hierarchical" or "natural"
	Namespace string
	Shard     int64

	Retries    uint64        // tries that failed and were made again
	Batches    uint64        // of writes, sent
	Writes     uint64        // in them
	BatchBytes uint64        // of them
	Use        [9]uint64     // batches that were sent with up to 1, 2, 4, 8 ... 256 unanswered, themselves counted; each once
	UseSum     uint64        // of unanswered batches over all sends
	Full       time.Duration // for which writes waited because the window was full
	Queued     int           // writes that wait now to be sent
	Unanswered int           // batches that wait now for their answer
}

// counts are what a shard counts of itself.
type counts struct {
	retries, batches, writes, bytes, useSum atomic.Uint64
	use                                     [9]atomic.Uint64
	full, unanswered                        atomic.Int64
}

// sends counts a batch with which so many are unanswered, before an answer can come.
func (c *counts) sends(b *batch, unanswered int) {
	c.unanswered.Store(int64(unanswered))
	c.batches.Add(1)
	c.writes.Add(uint64(len(b.writes)))
	c.bytes.Add(uint64(b.size))
	c.use[bits.Len(uint(unanswered-1))].Add(1)
	c.useSum.Add(uint64(unanswered))
}

// Stats reads the numbers. It asks no server.
func (c *Client) Stats() Stats {
	c.session.mu.Lock()
	stats := Stats{Window: c.cfg.WriteWindow, SessionsLost: c.session.life}
	c.session.mu.Unlock()
	for _, sp := range c.spaces() {
		for _, s := range sp.known() {
			stats.Shards = append(stats.Shards, s.stats())
		}
	}
	return stats
}

func (s *shard) stats() ShardStats {
	c := &s.counts
	stats := ShardStats{
		Service: s.space.service(), Namespace: s.space.namespace, Shard: s.id, Retries: c.retries.Load(), Batches: c.batches.Load(), Writes: c.writes.Load(),
		BatchBytes: c.bytes.Load(), UseSum: c.useSum.Load(), Full: time.Duration(c.full.Load()), Queued: s.writer.waiting(),
		Unanswered: int(c.unanswered.Load()),
	}
	for i := range c.use {
		stats.Use[i] = c.use[i].Load()
	}
	return stats
}

// service is the one of Config that holds the space.
func (sp *space) service() string {
	if sp.natural {
		return "natural"
	}
	return "hierarchical"
}

// known are the shards as far as they are known.
func (sp *space) known() []*shard {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	return sp.table
}

// waiting is how many writes wait to be sent.
func (w *writer) waiting() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue)
}
