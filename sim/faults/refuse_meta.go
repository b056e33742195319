package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim"
)

// refuseMeta has the metastore refuse writes, which then have no effect.
func refuseMeta() kind {
	return kind{Info{"refuse-meta", "the metastore refuses writes as unavailable", []string{"meta.refuse"}},
		func(p *Plan, chance *rand.Rand) {
			p.spells(chance, func() {
				p.meta.Refuse = between(chance, sim.PerMille, 10*sim.Percent)
			}, func() { p.meta.Refuse = sim.Never })
		}}
}
