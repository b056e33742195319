package timeline

import (
	"fmt"
	"strings"
)

// judgedLater says whether a violation was found when all was over, in the history: neither its time nor who acted then tells of it.
func judgedLater(e *Event) bool {
	return e.What == "violation" && strings.HasPrefix(e.Get("check"), "history:")
}

// moment is the place of the event at which what a violation tells of had happened: the violation itself, or the last answer to
// its operations where it was found in the history.
func (x *index) moment(violation int) int {
	e := &x.events[violation]
	if !judgedLater(e) {
		return violation
	}
	last := -1
	for _, op := range e.All("op") {
		for _, at := range lastBefore(x.asks[op], violation, 1) {
			last = max(last, at)
		}
	}
	if last < 0 {
		return violation
	}
	return last
}

// mostHolding is how many flights that hold the seqs of a violation are told.
const mostHolding = 8

// holding are the flights that hold any seq of a run of a stream, as first..last, the first in each slot of a chain epoch.
func (x *index) holding(stream, seqs string, before int) (all []int) {
	first, last, ok := seqRun(seqs)
	if !ok {
		return nil
	}
	told := map[string]bool{}
	for _, at := range x.flights[stream] {
		e := &x.events[at]
		slot := slotKey(e.Get("epoch"), e.Get("slot"))
		if at >= before || told[slot] || len(all) == mostHolding || !holds(e, stream, first, last) {
			continue
		}
		told[slot] = true
		all = append(all, at)
	}
	return all
}

// holds says whether a flight has a window of the stream with any of the seqs.
func holds(flight *Event, stream string, first, last uint64) bool {
	of := ""
	for _, f := range flight.Fields {
		switch f.Key {
		case "stream":
			of = f.Value
		case "seqs":
			if from, to, ok := seqRun(f.Value); ok && of == stream && from <= last && to >= first {
				return true
			}
		}
	}
	return false
}

// seqRun reads first..last.
func seqRun(text string) (first, last uint64, ok bool) {
	n, err := fmt.Sscanf(text, "%d..%d", &first, &last)
	return first, last, n == 2 && err == nil
}
