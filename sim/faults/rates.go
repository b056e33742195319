package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
)

// applyRates hands the rates to the bindings.
func (p *Plan) applyRates() {
	p.fleet.Net.SetFaults(p.net)
	p.fleet.Peers.SetFaults(p.calls)
	p.fleet.Meta.SetFaults(p.meta)
	for i, s := range p.fleet.Stores() {
		s.SetFaults(p.stores[i])
	}
}

// storeSpells are spells of a fault on one store, or on all of them, each with knobs of its own.
func (p *Plan) storeSpells(chance *rand.Rand, on, off func(*simblob.Faults)) {
	p.spells(chance, func() {
		only := chance.IntN(2 * len(p.stores))
		for i := range p.stores {
			if only == i || only >= len(p.stores) {
				on(&p.stores[i])
			}
		}
	}, func() {
		for i := range p.stores {
			off(&p.stores[i])
		}
	})
}

// eitherRate draws the rates of two ways in which one thing goes wrong: one, the other, or both.
func eitherRate(chance *rand.Rand, low, high sim.Rate) (one, other sim.Rate) {
	one, other = between(chance, low, high), between(chance, low, high)
	switch chance.IntN(3) {
	case 0:
		one = sim.Never
	case 1:
		other = sim.Never
	}
	return one, other
}
