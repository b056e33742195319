package scenario

import (
	"testing"
	"time"
)

// TestSparse runs a slice of a fleet at scale: a burst of opens spreads over all stars, a star that leaves gives up its
// streams, a star that joins takes its share, and no other stream moves.
func TestSparse(t *testing.T) {
	const stars, streams = 30, 900
	r := mustRun(t, Options{Seed: 1, Scenario: Sparse, Stars: stars, Streams: streams, Duration: 3 * time.Minute})
	clean(t, r)
	if times(r.Looks, "placement") == 0 {
		t.Errorf("nothing was taken again: %v", r.Looks)
	}
	burst, left, end := r.Spreads[0], r.Spreads[1], r.Spreads[2]
	if burst.Stars != stars || left.Stars != stars-1 || end.Stars != stars || end.Streams != streams {
		t.Errorf("spreads %+v", r.Spreads)
	}
	if even := streams / stars; burst.Streams < streams*99/100 || burst.Fewest < even/3 || burst.Most > 2*even {
		t.Errorf("the burst did not spread: %+v", burst)
	}
	if burst.Slowest == 0 || burst.Slowest > time.Second {
		t.Errorf("the slowest open of the burst took %v", burst.Slowest)
	}
	away, come := r.Changes[0], r.Changes[1]
	if away.Joined || away.Streams == 0 || away.Took == 0 || away.Moved == 0 || away.Moved > away.Streams {
		t.Errorf("who left: %+v", away)
	}
	if !come.Joined || come.Took == 0 || come.Moved == 0 || come.Others < 2 {
		t.Errorf("who joined: %+v", come)
	}
}

// TestSparseUnderFaults: the star that leaves and the one that joins would be the fault's to choose.
func TestSparseUnderFaults(t *testing.T) {
	r := mustRun(t, Options{Seed: 2, Scenario: Sparse, Stars: 6, Streams: 60, Duration: 2 * time.Minute, Faults: []string{"crash", "late-store"}})
	clean(t, r)
	if len(r.Changes) > 0 || len(r.Spreads) == 0 {
		t.Errorf("spreads %+v, changes %+v", r.Spreads, r.Changes)
	}
}

// TestIdleStreamsCostNothing: what goes on while streams wait is the business of the stars alone, so ten times as long a run
// takes the same number of steps more, however many streams there are.
func TestIdleStreamsCostNothing(t *testing.T) {
	const short, long = 10 * time.Minute, 100 * time.Minute
	more := func(streams int) (steps uint64) {
		o := Options{Seed: 1, Scenario: Sparse, Stars: 5, Streams: streams, Strategy: "uniform", Duration: short}
		before := mustRun(t, o)
		o.Duration = long
		after := mustRun(t, o)
		clean(t, after)
		return after.Steps - before.Steps
	}
	few, many := more(30), more(300)
	if perStar := float64(few) / (long - short).Seconds() / 5; perStar > 5 {
		t.Errorf("an idle star takes %.1f steps a second", perStar)
	}
	if many > few*11/10 {
		t.Errorf("the same idle time took %d steps with 30 streams and %d with 300", few, many)
	}
}
