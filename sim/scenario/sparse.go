package scenario

import (
	"context"
	"slices"
	"time"

	"github.com/novastream/nova/sim/workload"
)

// Sparse is the name of the scenario for placement and for fleets at scale.
const Sparse = "sparse"

// Spread is how evenly the streams are led at one time: how many each star leads.
type Spread struct {
	When                     string // in words
	At                       time.Duration
	Stars, Led               int
	Fewest, Median, Most     int
	ShareAbove, ShareBeneath float64 // of the mean: how far the most and the fewest are from it
}

// playSparse lets a burst of opens come over the fleet, then uses each stream now and then.
func (r *run) playSparse() error {
	r.work.Start()
	burst := min(workload.BurstTime, r.options.Duration)
	if err := r.world.RunFor(burst); err != nil {
		return err
	}
	r.spread("after a burst of opens")
	if err := r.world.RunFor(r.options.Duration - burst); err != nil {
		return err
	}
	r.spread("at the end")
	return nil
}

// spread counts what each star leads.
func (r *run) spread(when string) {
	s := Spread{When: when, At: r.world.Now()}
	var led []int
	for _, star := range r.fleet.Stars {
		if star.Serving == nil {
			continue
		}
		if health, err := star.Serving.Health(context.Background()); err == nil {
			led = append(led, health.Leading)
			s.Led += health.Leading
		}
	}
	slices.Sort(led)
	if s.Stars = len(led); s.Stars > 0 {
		s.Fewest, s.Median, s.Most = led[0], led[(len(led)-1)/2], led[len(led)-1]
	}
	if mean := float64(s.Led) / float64(max(s.Stars, 1)); mean > 0 {
		s.ShareAbove, s.ShareBeneath = float64(s.Most)/mean-1, 1-float64(s.Fewest)/mean
	}
	r.spreads = append(r.spreads, s)
}
