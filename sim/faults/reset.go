package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// reset breaks connections: where an answer was due, its request executed, and all between two endpoints at one instant.
func reset() kind {
	return kind{Info{"reset", "connections are reset, their requests executed or not", []string{"network.reset"}},
		func(p *Plan, chance *rand.Rand) {
			p.spells(chance, func() {
				p.calls.Reset = between(chance, sim.PerMille/2, 3*sim.Percent)
			}, func() { p.calls.Reset = sim.Never })
			p.strikes(between(chance, 5*time.Second, time.Minute), func(chance *rand.Rand) {
				p.fleet.Peers.Reset(oneOf(chance, p.callers()), oneOf(chance, p.fleet.Stars).Name)
			})
		}}
}
