package absorb

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/core/refs"
)

func win(first, end keys.Seq, epoch keys.StreamEpoch) window {
	return window{star: "a", epoch: 1, slot: keys.Slot(first), entry: format.Entry{
		Stream: "s", StreamEpoch: epoch, First: first, Count: uint32(end - first),
	}}
}

// TestDecide is the table of what a committer does from a last row and its windows.
func TestDecide(t *testing.T) {
	row := func(first, end keys.Seq, epoch uint64) refs.Row {
		return refs.Row{First: first, Value: &records.RefRow{End: uint64(end), Epoch: epoch}}
	}
	cases := map[string]struct {
		last       refs.Row
		found      bool
		windows    []window
		skip, take int
		broken     bool
	}{
		"a fresh stream":                       {windows: []window{win(0, 2, 1), win(2, 5, 1)}, take: 2},
		"no windows":                           {},
		"all covered":                          {last: row(0, 9, 1), found: true, windows: []window{win(2, 5, 1), win(5, 9, 1)}, skip: 2},
		"the rest is not":                      {last: row(0, 5, 1), found: true, windows: []window{win(2, 5, 1), win(5, 9, 1)}, skip: 1, take: 1},
		"a window above the tail":              {last: row(0, 5, 1), found: true, windows: []window{win(6, 9, 1)}, broken: true},
		"a stream without rows that has a gap": {windows: []window{win(1, 2, 1)}, broken: true},
		"a window across the tail":             {last: row(0, 5, 1), found: true, windows: []window{win(4, 9, 1)}, broken: true},
		"a window of an older stream epoch":    {last: row(0, 5, 4), found: true, windows: []window{win(5, 9, 3)}, broken: true},
		"an older one below the tail":          {last: row(0, 5, 4), found: true, windows: []window{win(2, 5, 3)}, skip: 1},
		"a gap behind what fits":               {last: row(0, 5, 1), found: true, windows: []window{win(5, 7, 1), win(8, 9, 1)}, take: 1},
		"a newer stream epoch joins":           {last: row(0, 5, 1), found: true, windows: []window{win(5, 7, 1), win(7, 9, 2)}, take: 2},
		"an older one behind what fits":        {last: row(0, 5, 1), found: true, windows: []window{win(5, 7, 2), win(7, 9, 1)}, take: 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := decide(c.last, c.found, c.windows)
			if d.skip != c.skip || d.take != c.take || (d.broken != "") != c.broken {
				t.Fatalf("decided %+v", d)
			}
		})
	}
}

// TestDecideBoundsRows never puts more windows into a row than a row may hold.
func TestDecideBoundsRows(t *testing.T) {
	var windows []window
	for i := range keys.Seq(3 * maxSpans) {
		windows = append(windows, win(i, i+1, 1))
	}
	if d := decide(refs.Row{}, false, windows); d.take != maxSpans {
		t.Fatalf("takes %d", d.take)
	}
}

// TestRowsTouch commits any windows that touch, from any tail, row by row: rows run from the tail to the end without gap,
// and each names its windows in order.
func TestRowsTouch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var windows []window
		at, epoch := keys.Seq(0), keys.StreamEpoch(1)
		for range rapid.IntRange(1, 20).Draw(t, "windows") {
			next := at + keys.Seq(rapid.IntRange(1, 5).Draw(t, "records"))
			epoch += keys.StreamEpoch(rapid.IntRange(0, 1).Draw(t, "reopened"))
			windows = append(windows, win(at, next, epoch))
			at = next
		}
		tail := refs.Row{Value: &records.RefRow{End: uint64(windows[rapid.IntRange(0, len(windows)-1).Draw(t, "covered")].entry.First)}}
		for {
			d := decide(tail, true, windows)
			if d.broken != "" {
				t.Fatal(d.broken)
			}
			if d.take == 0 {
				break
			}
			row := rowOf("b", windows[d.skip:d.skip+d.take])
			if row.Spans[0].First != uint64(d.tail) || row.End != row.Spans[len(row.Spans)-1].First+uint64(row.Spans[len(row.Spans)-1].Count) {
				t.Fatalf("row at %d: %v", d.tail, row)
			}
			tail = refs.Row{First: d.tail, Value: row}
		}
		if tail.End() != at {
			t.Fatalf("covered up to %d of %d", tail.End(), at)
		}
	})
}

// TestRedundant shows when a committer's own row was redundant.
func TestRedundant(t *testing.T) {
	cases := []struct {
		first, end, last keys.Seq
		want             bool
	}{
		{5, 9, 5, false}, // it is the last row
		{5, 9, 9, false}, // another committer went on from it
		{5, 9, 12, false},
		{5, 9, 7, true}, // it reaches past the key of the last row
		{5, 9, 2, false},
	}
	for _, c := range cases {
		if got := redundant(c.first, c.end, refs.Row{First: c.last}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestLoad shows when a pass begins.
func TestLoad(t *testing.T) {
	cases := map[string]struct {
		load    load
		streams int
		now     time.Duration
		pass    bool
		wait    time.Duration
	}{
		"nothing waits":       {load{}, 0, time.Hour, false, -1},
		"a flight has come":   {load{true, 0, 10}, 1, 300 * time.Millisecond, false, 700 * time.Millisecond},
		"a second has passed": {load{true, 0, 10}, 1, time.Second, true, 0},
		"many bytes":          {load{true, 0, 64 << 20}, 1, 0, true, 0},
		"many rows":           {load{true, 0, 10}, 4096, 0, true, 0},
		"left from a pass":    {load{true, 0, 0}, 5000, 0, false, time.Second},
	}
	for name, c := range cases {
		if pass, wait := c.load.due(c.streams, c.now); pass != c.pass || wait != c.wait {
			t.Errorf("%s: %v, %v", name, pass, wait)
		}
	}
}
