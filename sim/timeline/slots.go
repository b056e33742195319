package timeline

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// epoch is a chain epoch under way.
type epoch struct {
	Epoch
	lane   *lane
	row    *row // of its bar
	cells  *row // of its slots
	bar    *item
	cut    int // -1: none
	quorum int
	slots  map[int]*slot
	stores map[string]bool
}

type slot struct {
	cell  *item
	ever  int // stores that had the flight at any time
	holds map[string]byte
	wins  []Field // the windows of the flight: streams and seqs
	dead  bool    // a quorum could not be reached any more before there was a cut
}

// mostEpochs bounds the rows of epochs in a lane.
const mostEpochs = 4

// epoch takes the row of a chain epoch as it is now.
func (b *builder) epoch(e *Event) {
	p := b.epochOf(e)
	p.quorum, _ = strconv.Atoi(e.Get("quorum"))
	p.Class = e.Get("class")
	state := e.Get("state")
	if cut, err := strconv.Atoi(e.Get("cut")); err == nil && p.cut < 0 {
		p.cut, p.Cut = cut, e.Get("cut")
		if p.State == state {
			p.bar.label += ", cut " + p.Cut
		}
	}
	if p.State == state {
		b.shows(p.bar, e)
		return
	}
	p.State = state
	if p.bar != nil {
		p.row.end(p.bar, e.At)
	}
	_, number, _ := strings.Cut(p.Name, "/")
	label := fmt.Sprintf("epoch %s %s, %s", number, p.Class, state)
	if p.Cut != "" {
		label += ", cut " + p.Cut
	}
	p.bar = b.put(p.row, item{at: e.At, kind: state, label: label, by: e, lasting: state != "settled"})
	b.put(b.lane["meta"].row("marks", "chain epochs"), item{at: e.At, kind: "write", label: p.Name + " " + state, by: e})
}

// epochOf is the epoch that an event names, with rows of its own kind in the lane of its star.
func (b *builder) epochOf(e *Event) *epoch {
	name := e.Get("epoch")
	p := b.epochs[name]
	if p != nil {
		return p
	}
	star, _, _ := strings.Cut(name, "/")
	l := b.at(b.stars[star])
	p = &epoch{Epoch: Epoch{Name: name, Item: -1}, lane: l, cut: -1, slots: map[int]*slot{}, stores: map[string]bool{}}
	p.row = l.free("epochs", "chain epochs", e.At, mostEpochs)
	p.cells = l.row("slots", "slots "+strconv.Itoa(p.row.order))
	p.cells.order = p.row.order + 1
	b.epochs[name] = p
	b.order = append(b.order, p)
	return p
}

// slot takes what a store holds in a slot now.
func (b *builder) slot(e *Event) {
	p := b.epochOf(e)
	number, err := strconv.Atoi(e.Get("slot"))
	if err != nil {
		return
	}
	holds := e.What[len("slot.")]
	s := p.slots[number]
	if s == nil {
		if holds == 'g' {
			return
		}
		s = &slot{holds: map[string]byte{}}
		s.cell = b.put(p.cells, item{at: e.At, kind: "open", label: fmt.Sprintf("slot %d", number), by: e})
		p.slots[number] = s
	}
	p.stores[e.Where] = true
	s.holds[e.Where] = holds
	s.cell.until = max(s.cell.until, e.At)
	b.shows(s.cell, e)
	for _, f := range e.Fields {
		if holds == 'f' && (f.Key == "stream" || f.Key == "seqs") && s.ever == 0 {
			s.wins = append(s.wins, f)
		}
	}
	if holds == 'f' {
		s.ever++
	}
	if s.count('p') >= p.quorum && p.quorum > 0 && p.cut < 0 {
		s.dead = true
	}
	kind := map[byte]string{'f': "flight", 'p': "poison", 'd': "damaged", 'g': "gone"}[holds]
	put := b.put(b.at(e.Where).row("marks", "slots"), item{at: e.At, kind: kind, label: fmt.Sprintf("%s slot %d", p.Name, number), by: e})
	if b.items[e.By] == nil { // the write of the object
		b.items[e.By] = put
	}
}

func (s *slot) count(what byte) (n int) {
	for _, store := range slices.Sorted(maps.Keys(s.holds)) {
		if s.holds[store] == what {
			n++
		}
	}
	return n
}

// The fates of slots.
const (
	durable  = "durable"  // part of the chain: a quorum has it, and all before it
	poisoned = "poisoned" // a fencer took it
	dead     = "dead"     // too few stores can have it still
	beyond   = "beyond"   // it holds a flight, at or behind the cut
	undone   = "open"     // nothing was decided
)

// fates decides what became of each slot of an epoch.
func (p *epoch) fates() {
	prefix := true
	for _, number := range slices.Sorted(maps.Keys(p.slots)) {
		s := p.slots[number]
		full := s.ever >= p.quorum && p.quorum > 0
		switch {
		case p.cut >= 0 && number < p.cut:
			s.cell.kind = durable
		case s.ever == 0 || s.count('p') > 0 && !full:
			s.cell.kind = poisoned
			if s.ever > 0 {
				s.cell.kind = dead
			}
		case p.cut >= 0:
			s.cell.kind = beyond
		case s.dead:
			s.cell.kind = dead
		case full && prefix:
			s.cell.kind = durable
		default:
			s.cell.kind = undone
		}
		prefix = prefix && s.cell.kind == durable
		s.cell.text = p.describe(number, s)
	}
}

// describe tells a slot to people, field by field, so that it is found by each.
func (p *epoch) describe(number int, s *slot) string {
	text := fmt.Sprintf("slot\nepoch: %s\nslot: %d\nfate: %s", p.Name, number, s.cell.kind)
	words := map[byte]string{'f': "the flight", 'p': "poison", 'd': "a damaged object", 'g': "nothing any more"}
	for _, store := range p.Stores {
		if holds := s.holds[store]; holds != 0 {
			text += "\n" + store + ": " + words[holds]
		} else {
			text += "\n" + store + ": nothing"
		}
	}
	for _, w := range s.wins {
		text += "\n" + w.Key + ": " + w.Value
	}
	return text
}

// windows are the windows of a slot in one line.
func (s *slot) windows() string {
	values := make([]string, len(s.wins))
	for i, w := range s.wins {
		values[i] = w.Value
	}
	return strings.Join(values, " ")
}

// finishEpochs puts all epochs into the page.
func (b *builder) finishEpochs() {
	for _, p := range b.order {
		if p.bar != nil {
			p.Item = p.bar.place
		}
		for _, number := range slices.Sorted(maps.Keys(p.slots)) {
			s := p.slots[number]
			holds := ""
			for _, store := range p.Stores {
				if c := s.holds[store]; c != 0 {
					holds += string(c)
				} else {
					holds += "-"
				}
			}
			p.Slots = append(p.Slots, Slot{Number: number, Fate: s.cell.kind, Holds: holds, Text: s.windows()})
		}
		b.page.Epochs = append(b.page.Epochs, p.Epoch)
	}
}
