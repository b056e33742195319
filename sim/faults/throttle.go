package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
)

// throttle has stores refuse calls, which then have no effect.
func throttle() kind {
	return kind{Info{"throttle", "a store refuses calls because there are too many", []string{"blob.refuse"}},
		func(p *Plan, chance *rand.Rand) {
			p.storeSpells(chance, func(f *simblob.Faults) {
				f.Refuse = between(chance, 5*sim.PerMille, 20*sim.Percent)
			}, func(f *simblob.Faults) { f.Refuse = sim.Never })
		}}
}
