package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
)

// repeat repeats writes to stores below the core: a create meets its own copy.
func repeat() kind {
	return kind{Info{"repeat", "the client library of a store sends a write twice by itself and gives the second answer", []string{"blob.repeat"}},
		func(p *Plan, chance *rand.Rand) {
			p.storeSpells(chance, func(f *simblob.Faults) {
				f.Repeat = between(chance, 2*sim.PerMille, 10*sim.Percent)
			}, func(f *simblob.Faults) { f.Repeat = sim.Never })
		}}
}
