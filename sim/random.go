package sim

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"strconv"

	"github.com/zeebo/xxh3"
)

// SeedOf derives the seed of one purpose from the root seed and the purpose's name.
func (w *World) SeedOf(purpose string) uint64 { return xxh3.HashStringSeed(purpose, w.cfg.Seed) }

// Rand is a new random stream for a purpose. Two calls with one name give two equal streams, so each owner asks once and
// names its purpose uniquely.
func (w *World) Rand(purpose string) *rand.Rand { return stream(w.SeedOf(purpose)) }

// Dice is a random stream of what belongs to no act: how long things take, and who of several is first. A script can have
// these dice thrown anew, with all acts as they are.
func (w *World) Dice(purpose string) *rand.Rand { return stream(w.diceSeed(purpose)) }

func (w *World) diceSeed(purpose string) uint64 {
	if s := w.acts.script; s != nil && s.Throw > 0 {
		return w.SeedOf(purpose + "/throw/" + strconv.FormatUint(s.Throw, 10))
	}
	return w.SeedOf(purpose)
}

func stream(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, bits.RotateLeft64(seed, 32)^0x9e3779b97f4a7c15))
}

// pcg is the scheduler's own generator: the choice of the next task is the hottest draw of all.
type pcg struct{ state uint64 }

func (g *pcg) seed(s uint64) { g.state = s | 1 }

// below draws an index under n.
func (g *pcg) below(n int) int {
	g.state += 0x9e3779b97f4a7c15
	z := g.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	hi, _ := bits.Mul64(z^z>>31, uint64(n))
	return int(hi)
}

// Fold mixes a value into the hash of the run.
func (w *World) Fold(v uint64) {
	w.hash = (bits.RotateLeft64(w.hash, 23) ^ v) * 0x9fb21c651e98df25
	w.hash ^= w.hash >> 29
}

// FoldString mixes a text into the hash of the run.
func (w *World) FoldString(s string) { w.Fold(xxh3.HashString(s)) }

// FoldBytes mixes bytes into the hash of the run.
func (w *World) FoldBytes(b []byte) { w.Fold(xxh3.Hash(b)) }

// Hash is the trace hash so far: two runs that did the same things in the same order have the same.
func (w *World) Hash() uint64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], w.hash)
	binary.LittleEndian.PutUint64(b[8:], w.steps)
	return xxh3.Hash(b[:])
}
