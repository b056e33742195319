package embeddedmeta

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/novastream/nova/io/meta"
)

func openBench(b *testing.B) meta.Spaces {
	b.Helper()
	s, err := Open(b.TempDir(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s.Client().Spaces()
}

func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
	b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "puts/s")
}

// BenchmarkPut is a synced create of 256 bytes by so many writers at once.
func BenchmarkPut(b *testing.B) {
	for _, writers := range []int{1, 8, 64} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			m := openBench(b).Records
			value := make([]byte, 256)
			took := make([]time.Duration, b.N)
			var next atomic.Int64
			one := func() {
				i := next.Add(1) - 1
				start := time.Now()
				if _, err := m.Put(b.Context(), fmt.Sprintf("bench/%012d", i*7919%1_000_000_007), value, meta.Absent()); err != nil {
					b.Error(err)
				}
				took[i] = time.Since(start)
			}
			b.ResetTimer()
			if writers == 1 {
				for range b.N {
					one()
				}
			} else {
				b.SetParallelism(writers / runtime.GOMAXPROCS(0))
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						one()
					}
				})
			}
			report(b, took)
		})
	}
}

// BenchmarkEphemeral is the rewrite of a liveness row.
func BenchmarkEphemeral(b *testing.B) {
	m := openBench(b).Ephemeral
	for b.Loop() {
		if _, err := m.PutEphemeral(b.Context(), "cluster/stars/7f3", make([]byte, 200), meta.Any()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	m := openBench(b).Records
	for i := range 2000 {
		if _, err := m.Put(b.Context(), fmt.Sprintf("streams/7f3/refs/%020d", i*100), make([]byte, 256), meta.Absent()); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("Get", func(b *testing.B) {
		for b.Loop() {
			if _, err := m.Get(b.Context(), "streams/7f3/refs/00000000000000100000"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("FloorGet", func(b *testing.B) {
		for b.Loop() {
			if _, err := m.FloorGet(b.Context(), "streams/7f3/refs", "00000000000000100050"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Scan100", func(b *testing.B) {
		for b.Loop() {
			if recs, err := m.Scan(b.Context(), "streams/7f3/refs", "", 100); err != nil || len(recs) != 100 {
				b.Fatal(len(recs), err)
			}
		}
	})
}
