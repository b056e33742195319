package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/script"
	"github.com/novastream/nova/sim/simmeta"
)

// take picks a star that serves and gives it to a fault, as long as fewer than half of all are taken, or none is. release
// gives it back. ok is false where there is none to take.
func (p *Plan) take(chance *rand.Rand, fault string) (s *fleets.Star, release func(), ok bool) {
	var free []int
	for i := range p.holders {
		if p.free(i) {
			free = append(free, i)
		}
	}
	if len(free) == 0 {
		return nil, nil, false
	}
	i := oneOf(chance, free)
	return p.fleet.Stars[i], p.grab(i, fault), true
}

// free says whether a star may be taken.
func (p *Plan) free(i int) bool {
	taken := 0
	for _, holder := range p.holders {
		if holder != "" {
			taken++
		}
	}
	s := p.fleet.Stars[i]
	return taken < max(1, (len(p.holders)-1)/2) && p.holders[i] == "" && s.Alive() && s.Serving != nil
}

// grab gives a free star to a fault.
func (p *Plan) grab(i int, fault string) (release func()) {
	p.holders[i] = fault
	p.world.CountFault(fault, p.fleet.Stars[i].Name)
	return func() { p.holders[i] = "" }
}

// start starts a star's next process and tells the faults that follow each process.
func (p *Plan) start(s *fleets.Star) {
	if s.Alive() {
		return
	}
	s.Start()
	for _, started := range p.starts {
		started(s)
	}
}

// comeBack starts a star after a crash. Now and then what is left of its last life's session ends about then: its leases are
// free for it to take while its last chain epochs are still to be settled.
func (p *Plan) comeBack(chance *rand.Rand, s *fleets.Star) {
	p.start(s)
	if chance.IntN(3) == 0 {
		p.after(sim.Upto(chance, time.Second), func() { p.fleet.Meta.ExpireSession(s.Name) })
	}
}

// eachStart has fn called with every star that lives and with each that is started. Each call is an act of the kind.
func (p *Plan) eachStart(fn func(chance *rand.Rand, s *fleets.Star)) {
	line := p.world.Line(script.FaultPrefix + p.beginning)
	started := func(s *fleets.Star) {
		if cue := line.Next(); cue.On() {
			fn(cue.Rand(), s)
		}
	}
	p.starts = append(p.starts, started)
	for _, s := range p.fleet.Stars {
		if s.Alive() {
			started(s)
		}
	}
}

// alive draws a star that is alive, taken or not; ok is false where there is none.
func (p *Plan) alive(chance *rand.Rand) (s *fleets.Star, ok bool) {
	var living []*fleets.Star
	for _, s := range p.fleet.Stars {
		if s.Alive() {
			living = append(living, s)
		}
	}
	if len(living) == 0 {
		return nil, false
	}
	return oneOf(chance, living), true
}

// callers are the processes alive, stars and clients, by name; a name that two lives share is there once.
func (p *Plan) callers() []string {
	var names []string
	seen := map[string]bool{p.world.Driver().Name(): true}
	for _, q := range p.world.Processes() {
		if !seen[q.Name()] {
			seen[q.Name()] = true
			names = append(names, q.Name())
		}
	}
	return names
}

// services are the endpoints that only answer.
func (p *Plan) services() []string {
	names := []string{simmeta.Endpoint}
	for _, s := range p.fleet.Stores() {
		names = append(names, s.Endpoint())
	}
	return names
}
