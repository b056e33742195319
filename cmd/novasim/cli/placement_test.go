package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/sim/checks"
	"github.com/novastream/nova/sim/scenario"
)

// TestPlacementIsTold: a spread and what moved, each in a sentence with all of its numbers.
func TestPlacementIsTold(t *testing.T) {
	if placementOf(scenario.Report{}) != nil {
		t.Error("a run of another scenario has a placement")
	}
	r := scenario.Report{
		Spreads: []scenario.Spread{{When: "at the end", Stars: 4, Streams: 400, Fewest: 80, Median: 100, Most: 125, Slowest: 1500 * time.Millisecond}},
		Changes: []checks.Change{
			{Star: "star-2", At: time.Minute, Took: 2 * time.Second, Streams: 99, Opened: 300, Moved: 70, Others: 3},
			{Star: "star-5", Joined: true, At: 2 * time.Minute, Took: time.Second, Opened: 150, Moved: 31, Others: 3},
		},
	}
	want := []string{
		"at the end: 400 streams over 4 stars: fewest 80; median 100; most 125 (20% below and 25% above the mean); slowest open 1.5s",
		"star-2 left after 1m0s with 99 streams and had given them up in 2s: of 300 opens since 70 were of its streams; they went to 3 stars",
		"star-5 joined after 2m0s and served in 1s: of 150 opens since it took 31; they came from 3 stars",
	}
	if got := placementOf(r).sentences(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}
