package timeline_test

import (
	"testing"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/timeline"
)

// judged is a run whose history is found wrong at its end: long after the append of which it is wrong was answered.
func judged() *timeline.Collector {
	c := &timeline.Collector{}
	number := uint64(0)
	tell := func(ms int, where, what string, by uint64, kv ...any) uint64 {
		number++
		c.Caused(sim.Cause{Event: number, By: by})
		c.Event(time.Duration(ms)*time.Millisecond, where, what, kv)
		return number
	}
	flight := func(ms, slot int, seqs string, by uint64) uint64 {
		return tell(ms, "zone-a", "slot.flight", by, "epoch", "star-aa/1", "slot", slot, "by", "star-1", "stream", "x/y", "seqs", "0..9", "under", 1, "stream", "a/b", "seqs", seqs, "under", 1)
	}
	tell(0, "star-1", "start", 0, "boot", 1)
	tell(0, "client-1", "start", 0, "boot", 1)
	tell(5, "meta", "writer", 0, "stream", "a/b", "id", "xyz", "under", 1, "star", "star-aa", "chain", 1, "by", "star-1")
	ask := tell(10, "client-1", "ask", 0, "kind", "append", "op", "1/1", "stream", "a/b", "records", 3)
	tell(12, "client-1", "told", flight(11, 7, "3..5", ask), "kind", "append", "op", "1/1", "outcome", "ok", "seqs", "3..5")
	flight(20, 8, "6..8", 0)
	tell(30, "meta", "writer", 0, "stream", "a/b", "id", "xyz", "under", 2, "star", "star-aa", "chain", 1, "by", "star-1")
	flight(31, 9, "5..6", 0)
	beat := tell(90_000, "star-1", "step", 0, "name", "of.no.interest")
	tell(90_001, "", "violation", beat, "check", "history:lost-ack", "sentence", "it was lost", "stream", "a/b", "op", "1/1", "seqs", "3..5")
	return c
}

// TestJudgedLater sees that a violation of the history is explained from its operations, not from what happened when it was found,
// and that its mark stands where they ended.
func TestJudgedLater(t *testing.T) {
	slice := timeline.Explain(judged().Events())
	told := map[string]bool{}
	for _, l := range slice.Links {
		told[l.String()] = true
		if l.What == "step" {
			t.Errorf("%s did not lead to it", l)
		}
	}
	for _, want := range []string{
		"0.005000000 meta writer stream=a/b id=xyz under=1 star=star-aa chain=1 by=star-1",
		"0.010000000 client-1 ask kind=append op=1/1 stream=a/b records=3",
		"0.011000000 zone-a slot.flight epoch=star-aa/1 slot=7 by=star-1 stream=x/y seqs=0..9 under=1 stream=a/b seqs=3..5 under=1",
		"0.012000000 client-1 told kind=append op=1/1 outcome=ok seqs=3..5",
		"0.031000000 zone-a slot.flight epoch=star-aa/1 slot=9 by=star-1 stream=x/y seqs=0..9 under=1 stream=a/b seqs=5..6 under=1",
	} {
		if !told[want] {
			t.Errorf("the slice lacks %s", want)
		}
	}
	if len(told) != 6 { // and the violation
		t.Errorf("the slice has %v", told)
	}
	r := timeline.Run{Verdict: "failed", Violations: []timeline.Violation{{Check: "history:lost-ack", Sentence: "it was lost"}}}
	if v := timeline.FromTrace(r, judged()).Violations[0]; v.At != (12 * time.Millisecond).Nanoseconds() {
		t.Errorf("the mark of the violation stands at %v", time.Duration(v.At))
	}
}
