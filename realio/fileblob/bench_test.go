package fileblob

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/novastream/nova/io/blob"
)

// Durable writes of one writer and of sixteen: a raw file written and synced, the floor; and objects. Reported are the
// median and the 99th percentile of one call.
func BenchmarkWrite(b *testing.B) {
	for _, size := range []int{4 << 10, 8 << 20} {
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(i * 7)
		}
		var count atomic.Int64
		raw := func(dir string) func() error {
			return func() error {
				f, err := os.Create(filepath.Join(dir, fmt.Sprint(count.Add(1))))
				if err == nil {
					_, err = f.Write(data)
				}
				if err == nil {
					err = f.Sync()
				}
				_ = f.Close()
				return err
			}
		}
		s, err := Open(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		create := func() error {
			outcome, err := s.PutIfAbsent(b.Context(), fmt.Sprintf("chains/star/1/%d", count.Add(1)), data)
			if outcome != blob.Created {
				return fmt.Errorf("%v: %w", outcome, err)
			}
			return nil
		}
		put := func() error { return s.Put(b.Context(), fmt.Sprintf("puts/%d", count.Add(1)), data) }
		for _, writers := range []int{1, 16} {
			name := fmt.Sprintf("size=%d/writers=%d/", size, writers)
			b.Run(name+"raw", func(b *testing.B) { measure(b, writers, size, raw(b.TempDir())) })
			b.Run(name+"PutIfAbsent", func(b *testing.B) { measure(b, writers, size, create) })
			b.Run(name+"Put", func(b *testing.B) { measure(b, writers, size, put) })
		}
	}
}

func measure(b *testing.B, writers, size int, write func() error) {
	took := make([]time.Duration, b.N)
	var next atomic.Int64
	b.SetBytes(int64(size))
	b.SetParallelism(max(1, writers/2)) // times GOMAXPROCS of 2
	one := func() {
		start := time.Now()
		if err := write(); err != nil {
			b.Error(err)
		}
		took[next.Add(1)-1] = time.Since(start)
	}
	b.ResetTimer()
	if writers == 1 {
		for range b.N {
			one()
		}
	} else {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				one()
			}
		})
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
}

// BenchmarkList pages through a directory of many objects.
func BenchmarkList(b *testing.B) {
	s, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	dir := filepath.Join(s.root, "d")
	if err := os.Mkdir(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	for i := range 100_000 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%09d@", i)), nil, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if infos, err := s.List(b.Context(), "d/", "d/000050000", 1000); err != nil || len(infos) != 1000 {
			b.Fatal(len(infos), err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	s, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.PutIfAbsent(b.Context(), "a/b/k", make([]byte, 4096)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Get(b.Context(), "a/b/k", blob.All()); err != nil {
			b.Fatal(err)
		}
	}
}
