package workload

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/novastream/nova/io/peer"
)

// bodies makes the contents of records.
type bodies struct {
	noise []byte // does not compress
	made  uint64
}

// maxRecord is the limit of one record: what the stars allow by default.
const maxRecord = 1 << 20

func newBodies(rng *rand.Rand) *bodies {
	b := &bodies{noise: make([]byte, 64<<10)}
	for i := 0; i < len(b.noise); i += 8 {
		binary.LittleEndian.PutUint64(b.noise[i:], rng.Uint64())
	}
	return b
}

// batch draws the records of one append: mostly one or a few, small, now and then enough to cross the limit of a flight.
func (b *bodies) batch(rng *rand.Rand) []peer.Record {
	if rng.IntN(5000) == 0 {
		records := make([]peer.Record, 2+rng.IntN(2))
		for i := range records {
			records[i] = b.record(rng, 600<<10+rng.IntN(300<<10))
		}
		return records
	}
	count := 1
	switch n := rng.IntN(100); {
	case n < 25:
		count = 2 + rng.IntN(8)
	case n < 28:
		count = 10 + rng.IntN(90)
	}
	records := make([]peer.Record, count)
	for i := range records {
		if i > 0 && rng.IntN(50) == 0 {
			continue // no headers, no body: nothing at all
		}
		records[i] = b.record(rng, b.size(rng))
	}
	return records
}

// size draws the size of a record's body.
func (b *bodies) size(rng *rand.Rand) int {
	switch n := rng.IntN(4000); {
	case n < 200:
		return 0
	case n < 3200:
		return 16 + rng.IntN(240)
	case n < 3920:
		return 256 + rng.IntN(1<<10)
	case n < 3999:
		return 4<<10 + rng.IntN(12<<10)
	default:
		return one(rng, []int{256 << 10, maxRecord - 1024})
	}
}

// record makes a record of so many bytes that differs from all others: by its body where that has room, else by a header.
func (b *bodies) record(rng *rand.Rand, size int) peer.Record {
	b.made++
	if size < idSize {
		return peer.Record{Headers: []peer.Header{{Name: []byte("id"), Value: appendID(nil, b.made)}}, Body: make([]byte, size)}
	}
	r := peer.Record{Body: make([]byte, size)}
	n := len(appendID(r.Body[:0], b.made))
	if rng.IntN(2) == 0 { // else zeros, which compress
		for n < size {
			n += copy(r.Body[n:], b.noise[rng.IntN(len(b.noise)/2):])
		}
	}
	if rng.IntN(8) == 0 {
		r.Headers = []peer.Header{{Name: []byte("kind"), Value: []byte("with a header")}, {}}
	}
	return r
}

// idSize is the length of the number that makes a record different.
const idSize = 16

// appendID appends that number, in hexadecimal digits.
func appendID(dst []byte, n uint64) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[n>>shift&15])
	}
	return dst
}
