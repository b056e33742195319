package cli

import (
	"fmt"
	"time"

	"github.com/novastream/nova/sim/checks"
	"github.com/novastream/nova/sim/scenario"
)

// placed tells how evenly streams were led, and what moved as stars left and joined.
func placed(r scenario.Report) []string {
	var lines []string
	for _, s := range r.Spreads {
		lines = append(lines, fmt.Sprintf("%s: %d streams over %d stars: fewest %d; median %d; most %d (%.0f%% below and %.0f%% above the mean); slowest open %v",
			s.When, s.Streams, s.Stars, s.Fewest, s.Median, s.Most, 100*s.ShareBeneath, 100*s.ShareAbove, rounded(s.Slowest)))
	}
	for _, c := range r.Changes {
		lines = append(lines, changed(c))
	}
	return lines
}

// changed tells of one star that left or joined.
func changed(c checks.Change) string {
	if c.Joined {
		return fmt.Sprintf("%s joined after %v and served in %v: of %d opens since it took %d; they came from %d stars",
			c.Star, rounded(c.At), rounded(c.Took), c.Opened, c.Moved, c.Others)
	}
	return fmt.Sprintf("%s left after %v with %d streams and had given them up in %v: of %d opens since %d were of its streams; they went to %d stars",
		c.Star, rounded(c.At), c.Streams, rounded(c.Took), c.Opened, c.Moved, c.Others)
}

func rounded(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
