package fleet

import (
	"github.com/zeebo/xxh3"

	"github.com/novastream/nova/core/keys"
)

// The deadband: a runner-up wins only if it carries less by more than both.
const (
	deadbandShare          = 0.20    // of the pair's mean load
	deadbandBytesPerSecond = 1 << 20 // absolute
)

// Designate is the star that should lead a vacant stream, by this snapshot; false where no star is eligible, which is "at
// capacity". Of the stream's two highest rendezvous scores the top one wins, unless the runner-up carries significantly
// less load. Inside that band the hash decides, so a burst of opens spreads instead of herding onto the star that last
// published a low number.
func Designate(stars Snapshot, stream keys.StreamID) (Star, bool) {
	top, runnerUp := candidates(stars, stream)
	switch {
	case top == nil:
		return Star{}, false
	case runnerUp != nil && significantlyLess(runnerUp.Load(), top.Load()):
		return *runnerUp, true
	default:
		return *top, true
	}
}

// candidates are the eligible stars with the two highest scores for the stream; nil where there are fewer.
func candidates(stars Snapshot, stream keys.StreamID) (top, runnerUp *Star) {
	var topScore, runnerUpScore uint64
	var room [128]byte
	for _, star := range stars.stars {
		if !star.eligible() {
			continue
		}
		// A star that is no better than the one before it loses the tie: the snapshot is in order of star ids.
		switch score := score(room[:0], star.ID, stream); {
		case top == nil || score > topScore:
			runnerUp, runnerUpScore = top, topScore
			top, topScore = star, score
		case runnerUp == nil || score > runnerUpScore:
			runnerUp, runnerUpScore = star, score
		}
	}
	return top, runnerUp
}

// score is the rendezvous score of a star for a stream. room is memory to work in.
func score(room []byte, star keys.StarID, stream keys.StreamID) uint64 {
	pair := append(room, star...)
	pair = append(pair, '/') // in no star id
	return xxh3.Hash(append(pair, stream...))
}

// significantlyLess says whether load a is below load b by more than the deadband.
func significantlyLess(a, b float64) bool {
	gap, mean := b-a, (a+b)/2
	return gap > deadbandShare*mean && gap > deadbandBytesPerSecond
}

// eligible says whether the star takes new leadership.
func (s Star) eligible() bool { return !s.Saturated && !s.Draining }
