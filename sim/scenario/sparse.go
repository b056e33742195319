package scenario

import (
	"slices"
	"time"

	"github.com/novastream/nova/sim/workload"
)

// Sparse is the name of the scenario for placement and for fleets at scale.
const Sparse = "sparse"

// stopBudget is how long the star that leaves a sparse fleet may take to give up its streams.
const stopBudget = time.Minute

// Spread is how evenly the streams lie over the stars at one time, by who led each last.
type Spread struct {
	When                 string // in words
	At                   time.Duration
	Stars, Streams       int
	Fewest, Median, Most int           // streams of a star
	Slowest              time.Duration // the longest that an open took since the spread before
}

// playSparse lets a burst of opens come over the fleet, then uses each stream now and then. Where no faults strike, one star
// leaves after the burst, and another joins in the middle of the rest.
func (r *run) playSparse() error {
	calm := len(r.plan.Names()) == 0
	changes := calm && len(r.fleet.Stars) > 1
	r.placement = r.observer.FollowPlacement(calm)
	r.work.Start()
	burst := min(workload.BurstTime, r.options.Duration)
	rest := r.options.Duration - burst
	if err := r.world.RunFor(burst); err != nil {
		return err
	}
	r.spread("after a burst of opens")
	if changes {
		r.placement.Leaves(r.fleet, r.fleet.Stars[len(r.fleet.Stars)/2], stopBudget)
	}
	if err := r.world.RunFor(rest / 2); err != nil {
		return err
	}
	if changes {
		r.spread("after a star left")
		r.placement.Joins(r.fleet)
	}
	if err := r.world.RunFor(rest - rest/2); err != nil {
		return err
	}
	r.spread("at the end")
	r.changes = r.placement.Changes()
	return nil
}

// spread counts the streams of each star.
func (r *run) spread(when string) {
	s := Spread{When: when, At: r.world.Now(), Slowest: r.work.SlowestOpen()}
	of := r.placement.Led(r.fleet)
	slices.Sort(of)
	for _, n := range of {
		s.Streams += n
	}
	s.Stars, s.Fewest, s.Median, s.Most = len(of), of[0], of[(len(of)-1)/2], of[len(of)-1]
	r.spreads = append(r.spreads, s)
}
