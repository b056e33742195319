package oxiameta

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
)

// BenchmarkPut puts 128 bytes into one shard, one after the other and many at once, by the width of the write window: against
// the server of the tests, and against the real ones that the environment names.
func BenchmarkPut(b *testing.B) {
	cluster, err := oxiatest.Start(oxiatest.Config{Namespaces: spacesOf(1)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(cluster.Close)
	servers := map[string]Config{"wire": configFor(cluster)}
	if os.Getenv(envOxia) != "" {
		servers["real"] = realConfig(b)
	}
	for name, cfg := range servers {
		for _, window := range []int{1, 4, 16} {
			for _, callers := range []int{1, 64, 1024} {
				b.Run(fmt.Sprintf("%s/window=%d/callers=%d", name, window, callers), func(b *testing.B) {
					cfg.WriteWindow = window
					benchmarkPut(b, cfg, callers)
				})
			}
		}
	}
}

func benchmarkPut(b *testing.B, cfg Config, callers int) {
	c, err := Open(b.Context(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close(context.Background()) })
	m, value := c.Spaces().Records.Within(locality), make([]byte, 128)
	var putting sync.WaitGroup
	b.ResetTimer()
	for i := range callers {
		putting.Go(func() {
			key := fmt.Sprintf("p/%d", i)
			for range b.N / callers {
				if _, err := m.Put(b.Context(), key, value, meta.Any()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	putting.Wait()
	b.ReportMetric(float64(b.N/callers*callers)/b.Elapsed().Seconds(), "puts/s")
}
