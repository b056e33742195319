package s3blob

import (
	"context"
	"math/rand/v2"
	"time"
)

// pace is how long the store is left alone after failed tries: about twice as long each time. Tests leave no time.
type pace struct {
	first, most time.Duration
}

// delay is the time before the try after this one, with jitter so that many callers do not come back at once.
func (p pace) delay(try int) time.Duration {
	d := min(p.first<<min(try-1, 16), p.most)
	return d/2 + rand.N(d/2+1)
}

// wait lets that time pass. It returns ctx's error where ctx ends first.
func (p pace) wait(ctx context.Context, try int) error {
	timer := time.NewTimer(p.delay(try))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
