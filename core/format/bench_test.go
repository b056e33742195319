package format

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/novastream/nova/core/keys"
)

// text is a body that compresses about as well as logs do.
func benchBody(rng *rand.Rand, size int, random bool) []byte {
	body := make([]byte, 0, size+64)
	for len(body) < size {
		if random {
			body = append(body, byte(rng.Uint32()))
			continue
		}
		body = fmt.Appendf(body, `{"level":"info","request":%d,"path":"/orders/%d","ms":%d}`, rng.Uint32(), rng.IntN(1000), rng.IntN(90))
	}
	return body[:size]
}

// benchWindow is a window of batches of ten records of 1 KiB.
func benchWindow(stream int, sizeBytes int, random bool) Window {
	rng := rand.New(rand.NewPCG(uint64(stream), 1))
	w := Window{Stream: keys.StreamID(fmt.Sprintf("stream%020d", stream)), StreamEpoch: 1}
	for len(w.Raw) < sizeBytes {
		b := Batch{}
		for range 10 {
			b.Records = append(b.Records, Record{StampMicros: 1, Body: benchBody(rng, min(1024, sizeBytes/10), random)})
		}
		w.Raw = AppendBatch(w.Raw, b)
		w.Count += 10
	}
	return w
}

func benchFlight(streams, windowBytes int, random bool) (windows []Window, rawBytes int64) {
	for i := range streams {
		w := benchWindow(i, windowBytes, random)
		windows = append(windows, w)
		rawBytes += int64(len(w.Raw))
	}
	return windows, rawBytes
}

func benchShapes(b *testing.B, run func(b *testing.B, windows []Window)) {
	for _, shape := range []struct {
		name                 string
		streams, windowBytes int
		random               bool
	}{
		{"one-8MiB-random", 1, 8 << 20, true},
		{"one-8MiB-text", 1, 8 << 20, false},
		{"64x128KiB-random", 64, 128 << 10, true},
		{"64x128KiB-text", 64, 128 << 10, false},
		{"1000x8KiB-random", 1000, 8 << 10, true},
		{"1000x8KiB-text", 1000, 8 << 10, false},
		{"4000x400B-random", 4000, 400, true},
	} {
		windows, size := benchFlight(shape.streams, shape.windowBytes, shape.random)
		b.Run(shape.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			run(b, windows)
		})
	}
}

func BenchmarkEncodeFlight(b *testing.B) {
	benchShapes(b, func(b *testing.B, windows []Window) {
		for b.Loop() {
			object, _, err := EncodeFlight(sampleHeader, windows)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(len(object)), "object-bytes")
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	benchShapes(b, func(b *testing.B, windows []Window) {
		object := encodeFlight(b, windows...)
		for b.Loop() {
			if _, err := Decode(sampleHeader.Key(), object); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkDecodeWindow(b *testing.B) {
	benchShapes(b, func(b *testing.B, windows []Window) {
		object, entries, err := EncodeFlight(sampleHeader, windows)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			for _, e := range entries {
				if _, err := DecodeWindow(sampleHeader.Key(), e, object[e.Offset:e.Offset+e.Length]); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

func BenchmarkBatches(b *testing.B) {
	w := benchWindow(1, 1<<20, true)
	b.SetBytes(int64(len(w.Raw)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range Batches("key", w.Raw) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
