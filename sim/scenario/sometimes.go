package scenario

import "github.com/novastream/nova/sim"

// situation is a named situation that a swarm of seeds must reach, and the note of the core or the step that tells of it.
type situation struct{ name, note, step string }

// situations are all of them, in the order in which they are reported.
func situations() []situation {
	return []situation{
		{name: "orphaned lease healed", note: "orphaned lease healed"},
		{name: "lease left as an orphan", note: "lease left as an orphan"},
		{name: "limbo entered", note: "leadership in limbo"},
		{name: "departure taken back", note: "departure taken back"},
		{name: "leadership abandoned", note: "leadership abandoned"},
		{name: "leadership released", note: "leadership released"},
		{name: "release flush", step: "flush.release"},
		{name: "gate fences", note: "gate fences"},
		{name: "stream certified", note: "stream certified"},
		{name: "chain epoch fenced", note: "chain epoch fenced"},
		{name: "chain epoch without a row fenced", step: "fence.missing"},
		{name: "slot completed by a fencer", step: "fence.complete"},
		{name: "slot poisoned by a fencer", step: "fence.poison"},
		{name: "chain epoch closed by its owner", note: "chain epoch closed"},
		{name: "chain epoch settled", note: "chain epoch settled"},
		{name: "settling commits a row", step: "settle.row"},
		{name: "slot lost to a store", note: "slot lost to a store"},
		{name: "redundant row deleted", note: "redundant row deleted"},
		{name: "garbage swept", step: "sweep.delete"},
		{name: "registered again after a lost session", note: "registered again: the session had ended"},
		{name: "star superseded by its twin", note: "star superseded"},
		{name: "star stopped cleanly", note: "star stopped"},
	}
}

// sometimes counts the situations of a run.
func sometimes(w *sim.World, observed []sim.Count) []sim.Count {
	counts := map[string]uint64{}
	for _, c := range w.Counters().Notes() {
		counts["note "+c.Name] = c.Times
	}
	for _, c := range w.Counters().Steps() {
		counts["step "+c.Name] = c.Times
	}
	all := make([]sim.Count, 0, len(situations())+len(observed))
	for _, s := range situations() {
		times := counts["note "+s.note]
		if s.step != "" {
			times = counts["step "+s.step]
		}
		all = append(all, sim.Count{Name: s.name, Times: times})
	}
	return append(all, observed...)
}
