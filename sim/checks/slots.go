package checks

import (
	"bytes"
	"maps"
	"slices"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/sim/simblob"
)

// slot is one position of a chain epoch: what each store holds there.
type slot struct {
	number  keys.Slot
	cells   []cell // by store
	object  []byte // the flight
	entries []format.Entry
	acked   *ack // what was acknowledged in it first
}

type cell uint8

const (
	empty cell = iota
	flight
	poison
	damaged
)

// flights counts the stores with an intact copy of the flight.
func (s *slot) flights() int {
	n := 0
	for _, c := range s.cells {
		if c == flight {
			n++
		}
	}
	return n
}

func (e *epoch) inOrder() []*slot {
	all := make([]*slot, 0, len(e.slots))
	for _, number := range slices.Sorted(maps.Keys(e.slots)) {
		all = append(all, e.slots[number])
	}
	return all
}

// advance moves the durable prefix.
func (e *epoch) advance() {
	if e.row == nil || e.row.GetQuorum() == 0 {
		return
	}
	for {
		s := e.slots[e.prefix]
		if s == nil || s.flights() < int(e.row.GetQuorum()) {
			return
		}
		e.prefix++
	}
}

// within says whether a slot is part of the chain: below its cut where there is one, else in the durable prefix.
func (e *epoch) within(at keys.Slot) bool {
	if e.row != nil && e.row.Cut != nil {
		return at < keys.Slot(e.row.GetCut())
	}
	return at < e.prefix
}

// object is told every change of a store.
func (o *Observer) object(store int, w simblob.Write) {
	if w.By == "damage" {
		o.damage(store, w.Key)
		return
	}
	if w.Key == keys.StoreMarker {
		o.marker(store, w.New)
	}
	o.note("object in "+w.Store, w.Key, w.By)
	star, number, at, err := keys.ParseSlotObject(w.Key)
	if err != nil {
		return
	}
	e := o.epoch(epochKey{star, number})
	if w.New == nil {
		o.deleted(e, at, store, w)
		return
	}
	o.looked("slot-once")
	if w.Old != nil && !bytes.Equal(w.Old, w.New) {
		o.Add("slot-once", "slot %d of %s was overwritten in %s by %s", at, e, w.Store, o.who(w.By))
	}
	s := e.slots[at]
	if s == nil {
		s = &slot{number: at, cells: make([]cell, len(o.fleet.Zones)+1)}
		e.slots[at] = s
	}
	o.arrived(e, s, store, w)
	o.windowed(e, s, store)
	if s.cells[store] == flight && e.row != nil && e.row.Cut != nil && at >= keys.Slot(e.row.GetCut()) {
		o.saw(lateFlight)
	}
	if slices.Contains(s.cells, flight) && slices.Contains(s.cells, poison) {
		o.saw(splitSlot)
	}
	o.tellSlot(w.Store, e, at, s.cells[store], o.windowsIn(s, store), w.By)
	e.advance()
}

// windowsIn are the windows that a store holds in a slot.
func (o *Observer) windowsIn(s *slot, store int) []format.Entry {
	if s.cells[store] != flight {
		return nil
	}
	return s.entries
}

// arrived takes in an object that was put.
func (o *Observer) arrived(e *epoch, s *slot, store int, w simblob.Write) {
	if s.object != nil && bytes.Equal(s.object, w.New) {
		s.cells[store] = flight
		return
	}
	object, err := format.Decode(w.Key, w.New)
	switch {
	case err != nil:
		o.Add("slot-intact", "slot %d of %s was put into %s by %s and does not decode: %v", s.number, e, w.Store, o.who(w.By), err)
		s.cells[store] = damaged
	case object.Kind == format.KindPoison:
		s.cells[store] = poison
	case s.object != nil:
		o.Add("slot-one-flight", "slot %d of %s has two flights: another one was put into %s by %s", s.number, e, w.Store, o.who(w.By))
	default:
		s.cells[store], s.object, s.entries = flight, w.New, object.Entries
		for i := range s.entries {
			entry := &s.entries[i]
			st := o.stream(entry.Stream)
			entry.Stream = st.id // the same text, and kept once
			st.windows = append(st.windows, windowAt{e, s, entry})
		}
	}
}

// windowed: a flight leaves only when the slot a window before it is in the durable prefix.
func (o *Observer) windowed(e *epoch, s *slot, store int) {
	if s.cells[store] != flight || e.row.GetWindow() == 0 {
		return
	}
	o.looked("slot-window")
	if window := keys.Slot(e.row.GetWindow()); s.number >= e.prefix+window {
		o.Add("slot-window", "slot %d of %s was sent off when its durable prefix ended before slot %d; the window is %d", s.number, e, e.prefix, window)
	}
}

// deleted looks at an object that was deleted: only what is garbage by the rules of a sweep may go.
func (o *Observer) deleted(e *epoch, at keys.Slot, store int, w simblob.Write) {
	o.looked("slot-kept")
	s := e.slots[at]
	what := [...]string{"nothing", "the flight", "the poison", "a damaged object"}[cellOf(s, store)]
	if s != nil {
		s.cells[store] = empty
	}
	o.tellSlot(w.Store, e, at, empty, nil, w.By)
	switch {
	case e.row == nil || e.row.Cut == nil:
		o.Add("slot-kept", "%s deleted %s in slot %d of %s from %s, though that epoch has no cut yet", o.who(w.By), what, at, e, w.Store)
	case at < keys.Slot(e.row.GetTrimmed()), at > keys.Slot(e.row.GetCut()):
	case at < keys.Slot(e.row.GetCut()):
		o.Add("slot-kept", "%s deleted %s in slot %d of %s from %s, which lies below the cut %d", o.who(w.By), what, at, e, w.Store, e.row.GetCut())
	case !o.endedByOwner(e):
		o.Add("slot-kept", "%s deleted %s at the cut %d of %s from %s, though the process that writes the epoch may live: it could write that slot and acknowledge it",
			o.who(w.By), what, at, e, w.Store)
	}
}

func cellOf(s *slot, store int) cell {
	if s == nil {
		return empty
	}
	return s.cells[store]
}

// damage is a fault: the copy is not intact any more.
func (o *Observer) damage(store int, key string) {
	if star, number, at, err := keys.ParseSlotObject(key); err == nil {
		if s := o.epoch(epochKey{star, number}).slots[at]; s != nil {
			s.cells[store] = damaged
		}
	}
}
