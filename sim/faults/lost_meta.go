package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim"
)

// lostMeta loses answers of the metastore: the caller cannot know whether its write happened.
func lostMeta() kind {
	return kind{Info{"lost-meta", "the answer of a metastore write is lost, the write executed or not", []string{"meta.lose-before", "meta.lose-after"}},
		func(p *Plan, chance *rand.Rand) {
			p.spells(chance, func() {
				p.meta.LoseBefore, p.meta.LoseAfter = eitherRate(chance, sim.PerMille, 5*sim.Percent)
			}, func() { p.meta.LoseBefore, p.meta.LoseAfter = sim.Never, sim.Never })
		}}
}
