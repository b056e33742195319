package oxiameta

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// atOnce is how many puts are under way in the pipelined runs of BenchmarkPut: as many as an absorb commits rows by default.
const atOnce = 4096

// BenchmarkPut puts 256 bytes into one shard, by the width of the write window: against the server of the tests, once next
// door and once two milliseconds away as one that syncs its log is, and against the real ones that the environment names.
func BenchmarkPut(b *testing.B) {
	for _, late := range []time.Duration{0, 2 * time.Millisecond} {
		cluster, err := oxiatest.Start(oxiatest.Config{Namespaces: spacesOf(1), Latency: late})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(cluster.Close)
		benchmarkServer(b, fmt.Sprintf("wire/latency=%v", late), configFor(cluster))
	}
	if os.Getenv(envOxia) != "" {
		benchmarkServer(b, "real", realConfig(b))
	}
}

func benchmarkServer(b *testing.B, name string, cfg Config) {
	for _, window := range []int{1, 4, 16} {
		cfg.WriteWindow = window
		b.Run(fmt.Sprintf("%s/sequential/window=%d", name, window), func(b *testing.B) { benchmarkPut(b, cfg, 1) })
		b.Run(fmt.Sprintf("%s/pipelined/window=%d", name, window), func(b *testing.B) { benchmarkPut(b, cfg, atOnce) })
	}
}

func benchmarkPut(b *testing.B, cfg Config, callers int) {
	c, err := Open(b.Context(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close(context.Background()) })
	m, value := c.Spaces().Records.Within(locality), make([]byte, 256)
	if _, err := m.Put(b.Context(), "p/0", value, meta.Any()); err != nil { // the stream is open
		b.Fatal(err)
	}
	var putting sync.WaitGroup
	var begun atomic.Int64
	b.ResetTimer()
	for i := range callers {
		putting.Go(func() {
			key := fmt.Sprintf("p/%d", i)
			for begun.Add(1) <= int64(b.N) {
				if _, err := m.Put(b.Context(), key, value, meta.Any()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	putting.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "puts/s")
}
