package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simmeta"
)

// take picks a star that serves and gives it to a fault, as long as fewer than half of all are taken, and always one. release
// gives it back. ok is false where there is none to take.
func (p *Plan) take(chance *rand.Rand, fault string) (s *fleets.Star, release func(), ok bool) {
	taken := 0
	var free []int
	for i, s := range p.fleet.Stars {
		switch {
		case p.holders[i] != "":
			taken++
		case s.Alive() && s.Serving != nil:
			free = append(free, i)
		}
	}
	if len(free) == 0 || taken >= max(1, (len(p.fleet.Stars)-1)/2) {
		return nil, nil, false
	}
	i := oneOf(chance, free)
	p.holders[i] = fault
	p.world.CountFault(fault, p.fleet.Stars[i].Name)
	return p.fleet.Stars[i], func() { p.holders[i] = "" }, true
}

// start starts a star's next process and tells the faults that follow each process.
func (p *Plan) start(s *fleets.Star) {
	s.Start()
	for _, started := range p.starts {
		started(s)
	}
}

// eachStart has fn called with every star that lives and with each that is started.
func (p *Plan) eachStart(fn func(s *fleets.Star)) {
	p.starts = append(p.starts, fn)
	for _, s := range p.fleet.Stars {
		if s.Alive() {
			fn(s)
		}
	}
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
