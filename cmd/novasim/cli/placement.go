package cli

import (
	"fmt"
	"time"

	"github.com/novastream/nova/sim/scenario"
)

// placement is how evenly streams were led, and what moved as stars left and joined.
type placement struct {
	Spreads []spread `json:"spreads"`
	Changes []change `json:"changes,omitempty"`
}

// spread is how evenly the streams lay over the stars at one time, by who led each last.
type spread struct {
	When        string `json:"when"`
	At          string `json:"at"`
	Stars       int    `json:"stars"`
	Streams     int    `json:"streams"`
	Fewest      int    `json:"fewest"`
	Median      int    `json:"median"`
	Most        int    `json:"most"`
	SlowestOpen string `json:"slowest_open"` // since the spread before
}

// change is a star that left or joined.
type change struct {
	Star    string `json:"star"`
	What    string `json:"what"` // "left" or "joined"
	At      string `json:"at"`
	Took    string `json:"took"`              // until it had given up its streams, or served
	Streams int    `json:"streams,omitempty"` // that it led last when it left
	Opened  int    `json:"opened_since"`      // streams that anybody took again
	Moved   int    `json:"moved"`             // away from it, or to it
	Others  int    `json:"others"`            // stars they went to, or came from
}

// placementOf is nil for a scenario that does not ask.
func placementOf(r scenario.Report) *placement {
	if len(r.Spreads) == 0 {
		return nil
	}
	p := &placement{}
	for _, s := range r.Spreads {
		p.Spreads = append(p.Spreads, spread{s.When, rounded(s.At), s.Stars, s.Streams, s.Fewest, s.Median, s.Most, rounded(s.Slowest)})
	}
	for _, c := range r.Changes {
		what := "left"
		if c.Joined {
			what = "joined"
		}
		p.Changes = append(p.Changes, change{c.Star, what, rounded(c.At), rounded(c.Took), c.Streams, c.Opened, c.Moved, c.Others})
	}
	return p
}

// sentences tell it to people.
func (p *placement) sentences() []string {
	var all []string
	for _, s := range p.Spreads {
		mean := max(float64(s.Streams)/float64(s.Stars), 1)
		all = append(all, fmt.Sprintf("%s: %d streams over %d stars: fewest %d; median %d; most %d (%.0f%% below and %.0f%% above the mean); slowest open %s",
			s.When, s.Streams, s.Stars, s.Fewest, s.Median, s.Most, 100-100*float64(s.Fewest)/mean, 100*float64(s.Most)/mean-100, s.SlowestOpen))
	}
	for _, c := range p.Changes {
		if c.What == "joined" {
			all = append(all, fmt.Sprintf("%s joined after %s and served in %s: of %d opens since it took %d; they came from %d stars",
				c.Star, c.At, c.Took, c.Opened, c.Moved, c.Others))
			continue
		}
		all = append(all, fmt.Sprintf("%s left after %s with %d streams and had given them up in %s: of %d opens since %d were of its streams; they went to %d stars",
			c.Star, c.At, c.Streams, c.Took, c.Opened, c.Moved, c.Others))
	}
	return all
}

func rounded(d time.Duration) string { return d.Round(time.Millisecond).String() }
