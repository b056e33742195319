package timeline

import (
	"strings"
	"testing"
	"time"
)

// told is a trace with a violation at a place, from 0; negative: there is none.
func told(events, violation int) *Collector {
	c := &Collector{}
	for i := range events {
		what := "step"
		if i == violation {
			what = "violation"
		}
		c.Event(time.Duration(i), "star-1", what, nil)
	}
	return c
}

// TestLinesAroundTheFirstViolation keeps what led to it, however long the run goes on.
func TestLinesAroundTheFirstViolation(t *testing.T) {
	for _, c := range []struct {
		name              string
		events, violation int
		lines, before     int // before: the place of the violation among the lines, from 1; 0: none
	}{
		{"none", 1000, -1, 50, 0},
		{"in the middle", 1000, 400, 55, 50},
		{"at the start", 1000, 3, 9, 4},
		{"at the end", 1000, 999, 50, 50},
		{"long ago", 2 * maxEvents, 400, 55, 50},
		{"late in a long run", 2*maxEvents + 7, maxEvents + 400, 55, 50},
	} {
		lines := told(c.events, c.violation).Lines(50, 5)
		at := 0
		for i, line := range lines {
			if strings.Contains(line, "violation") {
				at = i + 1
			}
		}
		if len(lines) != c.lines || at != c.before {
			t.Errorf("%s: %d lines, the violation is the %dth; want %d and %d", c.name, len(lines), at, c.lines, c.before)
		}
	}
	if c := told(2*maxEvents, maxEvents-1); len(c.Events())-c.found < tail-1 || c.found == 0 {
		t.Errorf("%d events are kept, the violation is the %dth", len(c.Events()), c.found)
	}
}
