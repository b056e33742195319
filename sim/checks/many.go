package checks

import (
	"context"
	"time"

	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/workload"
)

// What a fleet of many stars and streams is asked is bounded: a small one is asked everything.
const (
	mostLive     = 1000 // streams that are asked for an append, all at once
	mostReadings = 5000 // of whole streams from each star; beyond it each stream is read from one star
	mostAtOnce   = 1000 // questions under way
)

// sample is so many of the streams at most, evenly spread.
func (a *Asker) sample(most int) []*workload.Stream {
	if len(a.streams) <= most {
		return a.streams
	}
	some := make([]*workload.Stream, most)
	for i := range some {
		some[i] = a.streams[i*len(a.streams)/most]
	}
	return some
}

// readers are the stars from which the stream of an index is read whole.
func (a *Asker) readers(index int) []*fleets.Star {
	stars := a.fleet.Stars
	if len(a.streams)*len(stars) <= mostReadings {
		return stars
	}
	return stars[index%len(stars):][:1]
}

// each runs jobs as tasks of the asker, a bounded number at once, until all are done.
func (a *Asker) each(name string, limit time.Duration, jobs int, job func(ctx context.Context, i int)) error {
	next, left := 0, jobs
	for range min(jobs, mostAtOnce) {
		a.process.Go(name, func(ctx context.Context) {
			for next < jobs {
				next++
				job(ctx, next-1)
				left--
			}
		})
	}
	return a.world.RunUntil(limit, func() bool { return left == 0 })
}
