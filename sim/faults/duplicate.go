package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim"
)

// duplicate delivers requests twice.
func duplicate() kind {
	return kind{Info{"duplicate", "requests that may be repeated are delivered twice", []string{"network.duplicate"}},
		func(p *Plan, chance *rand.Rand) {
			p.spells(chance, func() {
				p.net.Duplicates = between(chance, 5*sim.PerMille, 20*sim.Percent)
			}, func() { p.net.Duplicates = sim.Never })
		}}
}
