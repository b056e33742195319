package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim"
)

// loss loses messages at a rate.
func loss() kind {
	return kind{Info{"loss", "messages are lost, and with them the connections they were on", []string{"network.loss"}},
		func(p *Plan, chance *rand.Rand) {
			p.spells(chance, func() {
				p.net.Loss = between(chance, sim.PerMille/2, 3*sim.Percent)
			}, func() { p.net.Loss = sim.Never })
		}}
}
