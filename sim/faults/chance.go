package faults

import (
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// between draws a number from low to high whose magnitude is even: as often from low to twice low as from half high to high.
func between[N time.Duration | sim.Rate | int](chance *rand.Rand, low, high N) N {
	octaves := bits.Len64(uint64(high) / uint64(low))
	n := low << chance.IntN(octaves)
	return min(n+N(chance.Uint64N(uint64(n))), high)
}

// oneOf draws one of several.
func oneOf[T any](chance *rand.Rand, all []T) T { return all[chance.IntN(len(all))] }
