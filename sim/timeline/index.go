package timeline

import (
	"regexp"
	"slices"
	"sort"
	"strings"
)

// index finds the events that belong to others.
type index struct {
	events  []Event
	written map[string][]int // changes by what was changed: a key at a place
	fates   map[string][]int // what happened to a process
	epochs  map[string][]int // by epoch
	slots   map[string][]int // by epoch and slot
	streams map[string][]int // writer, token and ref rows, by stream
	flights map[string][]int // flights with records of a stream
	asks    map[string][]int // ask, told and acked, by operation
}

func newIndex(events []Event) *index {
	x := &index{
		events: events, written: map[string][]int{}, fates: map[string][]int{}, epochs: map[string][]int{}, slots: map[string][]int{},
		streams: map[string][]int{}, flights: map[string][]int{}, asks: map[string][]int{},
	}
	add := func(to map[string][]int, key string, at int) { to[key] = append(to[key], at) }
	for i := range events {
		e := &events[i]
		switch e.What {
		case "meta.write", "blob.write":
			add(x.written, e.Where+" "+e.Get("key"), i)
		case "start":
			if e.Get("boot") != "1" { // the first life leads to everything
				add(x.fates, e.Where, i)
			}
		case "kill", "stop", "pause", "resume", "slow", "clock.drift", "clock.jump", "fate", "meta.session-end",
			"network.cut", "network.isolate", "network.rejoin", "network.mend", "network.slow":
			if e.Where != "meta" { // what happens to the metastore happens to all
				add(x.fates, e.Where, i)
			}
		case "chain.epoch":
			add(x.epochs, e.Get("epoch"), i)
		case "slot.flight", "slot.poison", "slot.damaged", "slot.gone":
			add(x.slots, slotKey(e.Get("epoch"), e.Get("slot")), i)
			for _, stream := range e.All("stream") {
				add(x.flights, stream, i)
			}
		case "writer", "producer", "refs", "refs.gone":
			add(x.streams, e.Get("stream"), i)
		case "ask", "told", "acked":
			add(x.asks, e.Get("op"), i)
		}
	}
	return x
}

func slotKey(epoch, slot string) string { return epoch + " " + slot }

// at finds an event by its number.
func (x *index) at(number uint64) (int, bool) {
	if number == 0 {
		return 0, false
	}
	return sort.Find(len(x.events), func(i int) int {
		switch n := x.events[i].Cause.Event; {
		case number < n:
			return -1
		case number > n:
			return 1
		default:
			return 0
		}
	})
}

// lastBefore are the last of some places that lie before one, at most so many, the latest first.
func lastBefore(places []int, at, most int) (last []int) {
	i, _ := slices.BinarySearch(places, at)
	for i--; i >= 0 && len(last) < most; i-- {
		last = append(last, places[i])
	}
	return last
}

// subjects are the events that say what a violation is about.
func (x *index) subjects(violation int) (all []reached) {
	e := &x.events[violation]
	before := violation
	if at := x.moment(violation); at != violation {
		before = at + 1
	}
	take := func(why string, places []int, most int) {
		for _, at := range lastBefore(places, before, most) {
			all = append(all, reached{at: at, why: why, subject: true})
		}
	}
	fields := subjectFields(e)
	epoch := "" // a slot is of the epoch told last before it, or else of the first one
	if at := slices.IndexFunc(fields, func(f Field) bool { return f.Key == "epoch" }); at >= 0 {
		epoch = fields[at].Value
	}
	for _, f := range fields {
		switch f.Key {
		case "epoch":
			epoch = f.Value
			for _, at := range x.changes(epoch, violation) {
				all = append(all, reached{at: at, why: "a change of its epoch", subject: true})
			}
		case "slot":
			take("what its slot holds", x.slots[slotKey(epoch, f.Value)], 10)
		case "stream":
			take("a row of its stream", x.streams[f.Value], 4)
		case "seqs":
			for _, at := range x.holding(e.Get("stream"), f.Value, violation) {
				all = append(all, reached{at: at, why: "what holds its seqs", subject: true})
			}
		case "key":
			take("a write of its row", x.written["meta "+f.Value], 2)
		case "op":
			take("its operation", x.asks[f.Value], 3)
		}
	}
	return all
}

var (
	epochInWords = regexp.MustCompile(`chain epoch (\d+) of (?:star )?(?:[\w-]+ \()?(star-[0-9a-f]+)`)
	slotInWords  = regexp.MustCompile(`(?:slot|cut at|cut) (\d+)`)
)

// subjectFields are the fields of a violation; where it names no epoch by one, what its sentence names.
func subjectFields(e *Event) []Field {
	if e.Get("epoch") != "" {
		return e.Fields
	}
	fields := slices.Clone(e.Fields)
	if m := epochInWords.FindStringSubmatch(e.Get("sentence")); m != nil {
		fields = append(fields, Field{"epoch", m[2] + "/" + m[1]})
		for _, s := range slotInWords.FindAllStringSubmatch(e.Get("sentence"), 2) {
			fields = append(fields, Field{"slot", s[1]})
		}
	}
	return fields
}

// changes are the events that changed an epoch's state or cut.
func (x *index) changes(epoch string, before int) (all []int) {
	state := ""
	for _, at := range x.epochs[epoch] {
		e := &x.events[at]
		if is := e.Get("state") + " " + e.Get("cut"); at < before && is != state {
			state = is
			all = append(all, at)
		}
	}
	if len(all) > 1 {
		all = all[1:] // that it was made is of interest where nothing else happened to it
	}
	return all
}

// mostFates is how much of what happened to a process meanwhile is told.
const mostFates = 4

// causes are the events that led to one, with what it costs to go there.
func (x *index) causes(at int) (all []reached) {
	e := &x.events[at]
	if judgedLater(e) {
		for _, op := range e.All("op") {
			for _, answer := range lastBefore(x.asks[op], at, 1) {
				all = append(all, reached{at: answer, why: "its operation"})
			}
		}
		return all
	}
	if by, ok := x.at(e.By); ok {
		all = append(all, reached{at: by, cost: costMessage, why: "what called or woke it"})
	}
	if before, ok := x.at(e.Before); ok {
		cost := costBefore
		if e.At-x.events[before].At > longPause {
			cost += costPause
		}
		all = append(all, reached{at: before, cost: cost, why: "what its task did before"})
	}
	if e.What == "told" {
		for _, ask := range lastBefore(x.asks[e.Get("op")], at, 1) {
			all = append(all, reached{at: ask, why: "what was asked"})
		}
	}
	if e.What == "violation" && at > 0 && x.events[at-1].What == "failure" {
		all = append(all, reached{at: at - 1, why: "the failure itself", subject: true})
	}
	if isRead(e) {
		cost := costRead
		if strings.HasPrefix(e.Get("key"), "cluster/") {
			cost += costPause // that a star lives is of interest only where nothing nearer is
		}
		for _, w := range lastBefore(x.written[e.Get("at")+" "+e.Get("key")], at, 1) {
			all = append(all, reached{at: w, cost: cost, why: "what it read"})
		}
	}
	process, since := e.Where, e.Before
	if e.What == "meta.write" || e.What == "blob.write" {
		process, since = e.Get("by"), e.By
	}
	from, known := x.at(since)
	most := 1
	if known {
		most = mostFates
	}
	for _, f := range lastBefore(x.fates[process], at, most) {
		if !known || f > from { // else it is behind what came before
			all = append(all, reached{at: f, cost: costFate, why: "what had happened to its process"})
		}
	}
	return all
}

// isRead says whether an event is the end of a call that read what is under its key.
func isRead(e *Event) bool {
	return (strings.HasPrefix(e.What, "meta.get") || strings.HasPrefix(e.What, "blob.get") || e.What == "blob.head") && e.Get("error") == "none"
}
