package cli

import (
	"fmt"
	"time"
)

// speed is how fast worlds ran; it is told on stderr.
type speed struct {
	seeds     int
	steps     uint64
	simulated time.Duration
	wall      time.Duration
}

func (s speed) String() string {
	seconds := max(s.wall.Seconds(), 1e-9)
	return fmt.Sprintf("%s in %v: %.1f seeds/min, %.0f simulated s per wall s, %.0f steps/s",
		seedsText(s.seeds), s.wall.Round(10*time.Millisecond), float64(s.seeds)*60/seconds, s.simulated.Seconds()/seconds, float64(s.steps)/seconds)
}

// seedsText counts seeds.
func seedsText(n int) string {
	if n == 1 {
		return "1 seed"
	}
	return fmt.Sprint(n, " seeds")
}
