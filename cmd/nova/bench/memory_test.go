package bench

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/novastream/nova/io/peer"
)

// BenchmarkIdleStreams is what a led stream without producers costs in memory, with 10,000 of them on one star.
func BenchmarkIdleStreams(b *testing.B) {
	const streams, workers = 10_000, 64
	for b.Loop() {
		star, _ := start(b)
		open(b, star, "warm-up", workers, workers)
		before := heap()
		open(b, star, "idle", streams, workers)
		after := heap()
		health, err := star.Health(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(health.Leading), "led-streams")
		b.ReportMetric(float64(after-before)/float64(health.Leading), "bytes/stream(goal<=4096)")
	}
}

// open makes streams led: each gets a producer that appends one record and leaves.
func open(b *testing.B, star peer.Star, prefix string, streams, workers int) {
	b.Helper()
	batch := batchOf(1, 100)
	parallel(b, workers, func(worker int) error {
		for i := worker; i < streams; i += workers {
			if err := produce(b, star, fmt.Sprintf("%s/%d", prefix, i), batch, 1); err != nil {
				return err
			}
		}
		return nil
	})
}

// heap is the live heap of the process: star, client and metastore.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
