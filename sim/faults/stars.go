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
	var free []*fleets.Star
	for _, s := range p.fleet.Stars {
		if p.free(s) {
			free = append(free, s)
		}
	}
	if len(free) == 0 {
		return nil, nil, false
	}
	s = oneOf(chance, free)
	return s, p.grab(s, fault), true
}

// free says whether a star may be taken.
func (p *Plan) free(s *fleets.Star) bool {
	taken := 0
	for _, s := range p.fleet.Stars {
		if p.holders[s] != "" {
			taken++
		}
	}
	return taken < max(1, (len(p.fleet.Stars)-1)/2) && p.holders[s] == "" && s.Alive() && s.Serving != nil
}

// grab gives a free star to a fault.
func (p *Plan) grab(s *fleets.Star, fault string) (release func()) {
	p.holders[s] = fault
	p.world.CountFault(fault, s.Name)
	return func() { delete(p.holders, s) }
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

// renew tells a star to stop, within a budget, and starts its next process a while after it has ended: also after healing,
// which does not see a star that is about to end. between is called in between, done behind it.
func (p *Plan) renew(s *fleets.Star, budget, away time.Duration, between, done func()) {
	s.Process.OnDeath(func() {
		p.world.After(away, func() {
			between()
			p.start(s)
			done()
		})
	})
	s.Stop(budget)
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
