package oxiameta

import (
	"math/rand/v2"
	"time"
)

const (
	firstPause = 25 * time.Millisecond
	longPause  = 2 * time.Second
)

// pause is how long to wait after so many failures in a row, the first being 1: twice as long each time, with jitter, so
// that many clients do not come back at once.
func pause(failures int) time.Duration {
	d := firstPause << min(failures-1, 16)
	d = min(d, longPause)
	return d/2 + rand.N(d/2)
}
