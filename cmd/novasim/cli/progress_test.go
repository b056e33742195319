package cli

import (
	"testing"
	"time"
)

func TestSpeed(t *testing.T) {
	got := speed{30, 4_000_000, time.Hour, time.Minute}.String()
	if want := "30 seeds in 1m0s: 30.0 seeds/min, 60 simulated s per wall s, 66667 steps/s"; got != want {
		t.Errorf("got %q", got)
	}
}
