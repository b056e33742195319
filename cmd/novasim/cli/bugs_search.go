package cli

import (
	"context"
	"sync"
	"time"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/sim/scenario"
)

// trial is the search for one bug from one seed on.
type trial struct {
	bug       planted.Bug
	found     bool
	seeds     int    // that were needed, or that were run in vain
	seed      uint64 // that found it
	violation scenario.Violation
	sick      []uint64      // seeds that failed without the bug too
	took      time.Duration // in worlds with the bug
}

// searcher looks for bugs, and remembers which seeds are healthy without any.
type searcher struct {
	run     *bugsRun
	lock    sync.Mutex
	healthy map[uint64]*health
}

// health is whether a seed passes without a bug. It is looked at once.
type health struct {
	once sync.Once
	sick bool
	err  error
}

// search runs seeds with a bug until one fails that does not fail without it. A run ends with its first violation.
func (s *searcher) search(ctx context.Context, bug planted.Bug, first uint64) (trial, error) {
	t := trial{bug: bug}
	for seed := first; t.seeds < int(s.run.most); seed++ {
		if ctx.Err() != nil {
			return t, errInterrupted
		}
		o := s.run.options
		o.Seed, o.Bugs, o.Hasty = seed, o.Bugs.With(bug), true
		r, err := simulate(o)
		if err != nil {
			return t, err
		}
		t.seeds++
		t.took += r.Wall
		if len(r.Violations) == 0 {
			continue
		}
		sick, err := s.sick(seed)
		if err != nil {
			return t, err
		}
		if sick {
			t.sick = append(t.sick, seed)
			continue
		}
		t.found, t.seed, t.violation = true, seed, r.Violations[0]
		return t, nil
	}
	return t, nil
}

// sick says whether a seed fails without any bug.
func (s *searcher) sick(seed uint64) (bool, error) {
	s.lock.Lock()
	h := s.healthy[seed]
	if h == nil {
		h = &health{}
		s.healthy[seed] = h
	}
	s.lock.Unlock()
	h.once.Do(func() {
		o := s.run.options
		o.Seed, o.Hasty = seed, true
		var r scenario.Report
		r, h.err = simulate(o)
		h.sick = len(r.Violations) > 0
	})
	return h.sick, h.err
}
