package sim

import (
	"math/rand/v2"
	"time"
)

// Rate is how often a fault fires, in parts per million: a whole number, so that no floating point decides anything.
type Rate uint32

// The usual rates.
const (
	Never    Rate = 0
	PerMille Rate = 1_000
	Percent  Rate = 10_000
	Always   Rate = 1_000_000
)

// Hits draws whether the fault fires now. A rate of Never draws nothing.
func (r Rate) Hits(rng *rand.Rand) bool { return r > 0 && rng.Uint32N(million) < uint32(r) }

// Latency is a distribution of delays: Base, plus up to Spread evenly, plus, at the rate TailRate, up to Tail evenly.
type Latency struct {
	Base     time.Duration
	Spread   time.Duration
	TailRate Rate
	Tail     time.Duration
}

// Draw takes one delay.
func (l Latency) Draw(rng *rand.Rand) time.Duration {
	d := l.Base
	if l.Spread > 0 {
		d += time.Duration(rng.Int64N(int64(l.Spread)))
	}
	if l.TailRate.Hits(rng) && l.Tail > 0 {
		d += time.Duration(rng.Int64N(int64(l.Tail)))
	}
	return d
}

// Upto draws a duration from 1ns to most. A most that is not positive gives zero.
func Upto(rng *rand.Rand, most time.Duration) time.Duration {
	if most <= 0 {
		return 0
	}
	return 1 + time.Duration(rng.Int64N(int64(most)))
}
