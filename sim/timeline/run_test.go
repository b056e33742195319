package timeline_test

import (
	"slices"
	"testing"
	"time"

	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/sim/scenario"
	"github.com/novastream/nova/sim/timeline"
)

// played is the page of a small run with a planted bug.
func played(t *testing.T) *timeline.Page {
	t.Helper()
	bug, _ := planted.Parse("ack-before-quorum")
	events := &timeline.Collector{}
	report, err := scenario.Run(scenario.Options{
		Seed: 1, Stars: 3, Clients: 2, Streams: 2, Duration: 10 * time.Second, Faults: []string{"pause", "crash"}, Bugs: planted.Set{}.With(bug), Trace: events,
	})
	if err != nil {
		t.Fatal(err)
	}
	r := timeline.Run{Title: "small", Verdict: "failed"}
	for _, v := range report.Violations {
		r.Violations = append(r.Violations, timeline.Violation{Check: v.Check, Sentence: v.Sentence})
	}
	return timeline.FromTrace(r, events)
}

// TestRun sees that the page of a real run holds together: lanes, rows, the order of items, slots, causes.
func TestRun(t *testing.T) {
	p := played(t)
	lanes, rows := map[string]int{}, 0
	for _, l := range p.Lanes {
		lanes[l.Kind]++
		rows += len(l.Rows)
		if l.Kind == "star" && l.ID == "" {
			t.Errorf("star %s has no id", l.Name)
		}
	}
	if lanes["star"] != 3 || lanes["client"] < 2 || lanes["store"] != 4 || lanes["meta"] != 1 {
		t.Errorf("lanes: %v", lanes)
	}
	items := p.Items
	for i := 1; i < items.Len(); i++ {
		if items.Row[i] < items.Row[i-1] || items.Row[i] == items.Row[i-1] && items.At[i] < items.At[i-1] {
			t.Fatalf("item %d is out of order", i)
		}
	}
	if items.Len() == 0 || items.Row[items.Len()-1] >= rows || slices.Min(items.For) < 0 {
		t.Errorf("%d items in %d rows", items.Len(), rows)
	}
	kinds := map[string]int{}
	for _, k := range items.Kind {
		kinds[p.Kinds[k]]++
	}
	for _, kind := range []string{"alive", "active", "durable", "lead", "append", "step", "call", "violation", "flight"} {
		if kinds[kind] == 0 {
			t.Errorf("nothing of the kind %s: %v", kind, kinds)
		}
	}
	if len(p.Slice) == 0 || !p.Slice[len(p.Slice)-1].Subject {
		t.Error("the first violation is not explained, or not the last of its causes")
	}
	for n, c := range p.Slice {
		if slices.ContainsFunc(c.Causes, func(cause int) bool { return cause >= n }) {
			t.Errorf("event %d of the slice was caused by a later one: %v", n, c.Causes)
		}
	}
	if v := p.Violations[0]; v.Item < 0 || p.Kinds[items.Kind[v.Item]] != "violation" || len(v.About) == 0 {
		t.Errorf("the first violation is not tied to its mark: %+v", v)
	}
	if write(t, p) != write(t, played(t)) {
		t.Error("the page of the same run differs from one time to the next")
	}
}
