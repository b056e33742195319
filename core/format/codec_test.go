package format

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestWhatIsCompressed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(size int) []byte { return benchBody(rng, size, true) }
	text := func(size int) []byte { return benchBody(rng, size, false) }
	for name, c := range map[string]struct {
		raw  []byte
		want Codec
	}{
		"tiny":                   {bytes.Repeat([]byte{'x'}, minCompressBytes-1), CodecNone},
		"small text":             {text(minCompressBytes), CodecZstd},
		"small chance":           {random(2000), CodecNone},
		"big text":               {text(1 << 20), CodecZstd},
		"big chance":             {random(1 << 20), CodecNone},
		"text behind chance":     {append(random(500_000), text(600_000)...), CodecZstd},
		"chance behind text":     {append(text(500_000), random(600_000)...), CodecZstd},
		"one payload many times": {bytes.Repeat(random(4000), 100), CodecZstd},
	} {
		stored, codec := appendStored(nil, c.raw)
		if codec != c.want {
			t.Errorf("%s is stored as %v", name, codec)
		}
		if codec == CodecZstd {
			raw, err := decompress(stored)
			if err != nil || !bytes.Equal(raw, c.raw) || len(stored) >= len(c.raw) {
				t.Errorf("%s: %d bytes stored as %d, %v", name, len(c.raw), len(stored), err)
			}
		}
	}
}

// What the coders did before does not show in what they do next.
func TestEncoderHasNoMemory(t *testing.T) {
	windows, _ := benchFlight(3, 200_000, false)
	first := encodeFlight(t, windows...)
	for size := 1; size < 3<<20; size *= 3 {
		rng := rand.New(rand.NewPCG(uint64(size), 1))
		_, _ = appendStored(nil, benchBody(rng, size, false))
		if !bytes.Equal(encodeFlight(t, windows...), first) {
			t.Fatalf("the same flight has other bytes after %d bytes of something else", size)
		}
	}
}

func TestFlightAllocatesItsObject(t *testing.T) {
	windows, _ := benchFlight(50, 4000, false)
	if n := testing.AllocsPerRun(20, func() { encodeFlight(t, windows...) }); n > 20 {
		t.Errorf("a flight of 50 windows takes %v allocations", n)
	}
}
