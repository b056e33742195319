package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
)

// conflict answers racing creates with 409, which says nothing about who won.
func conflict() kind {
	return kind{Info{"conflict", "of several creates of one object under way at once, one is answered 409", []string{"blob.conflict"}},
		func(p *Plan, chance *rand.Rand) {
			p.storeSpells(chance, func(f *simblob.Faults) {
				f.Conflict = between(chance, 10*sim.Percent, sim.Always)
			}, func(f *simblob.Faults) { f.Conflict = sim.Never })
		}}
}
