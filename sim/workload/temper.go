package workload

import (
	"math/rand/v2"
	"time"
)

// temper is how the clients of one run are given to behave. Seeds differ in it, so that none of the ways in which a fleet is
// used always hides another.
type temper struct {
	gap      time.Duration // longest between two appends of a spell
	rest     time.Duration // longest between two spells
	idles    int           // of a hundred rests, how many are long enough for streams to go idle
	crashes  int           // of a hundred lives, how many end in a crash
	hot      int           // of a hundred spells, how many go to one of two streams
	underWay int           // most batches of a pipelined producer without an outcome
	burst    int           // most batches of a pipelined producer
}

// drawTemper draws the temper of a run. Dense ones rest longer, so that all ask about as much.
func drawTemper(rng *rand.Rand) temper {
	t := temper{
		gap: 400 * time.Millisecond, rest: 4 * time.Second, idles: 15, underWay: 6, burst: 60,
		crashes: one(rng, []int{20, 60, 90}), hot: one(rng, []int{0, 0, 30, 60}),
	}
	switch rng.IntN(4) {
	case 0: // slow: streams go idle
		t.gap, t.rest, t.idles = time.Second, 10*time.Second, 40
	case 1: // dense: many flights under way at once
		t.gap, t.rest, t.underWay, t.burst = 25*time.Millisecond, 14*time.Second, 24, 120
	}
	return t
}
