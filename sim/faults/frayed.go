package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simmeta"
)

// frayed loosens a star's way to everything it writes to: its session ends, it mostly does not reach the metastore, and its
// way to each store goes wrong in another manner. Others take over while its last slots are on some stores and not on others,
// and its clients still reach it.
func frayed() kind {
	const name = "frayed"
	return kind{Info{name, "a star loses its session and the metastore, and its way to each store goes wrong in another manner", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 20*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				s, release, ok := p.take(chance, name)
				if !ok {
					return
				}
				for _, store := range p.fleet.Stores() {
					p.fray(chance, s, store.Endpoint())
				}
				if chance.IntN(4) > 0 {
					p.fleet.Net.Partition([]string{s.Name}, []string{simmeta.Endpoint})
				}
				p.fleet.Meta.ExpireSession(s.Name)
				p.after(between(chance, 200*time.Millisecond, 2*p.fleet.SessionTimeOut()), func() {
					p.mend([]string{s.Name}, p.services())
					release()
				})
			})
		}}
}

// fray makes the way between a star and a service go wrong in a manner drawn by chance: not at all, lost requests, lost
// answers, lost messages, or slowness.
func (p *Plan) fray(chance *rand.Rand, s *fleets.Star, service string) {
	net := p.fleet.Net
	switch chance.IntN(5) {
	case 0:
		net.Cut(s.Name, service)
	case 1:
		net.Cut(service, s.Name)
	case 2:
		net.Lose(service, s.Name, between(chance, 5*sim.Percent, 60*sim.Percent))
	case 3:
		net.Slow(service, s.Name, sim.Latency{Base: between(chance, 10*time.Millisecond, 2*time.Second)})
	}
}
