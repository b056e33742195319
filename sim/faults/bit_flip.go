package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
)

// bitFlip damages what reads of stores give: checksums must see it.
func bitFlip() kind {
	return kind{Info{"bit-flip", "a read of a store comes back with one bit flipped; the object itself stays whole", []string{"blob.flip-bits"}},
		func(p *Plan, chance *rand.Rand) {
			p.storeSpells(chance, func(f *simblob.Faults) {
				f.FlipBits = between(chance, sim.PerMille/5, 2*sim.Percent)
				f.FlipMet = between(chance, 5*sim.Percent, 80*sim.Percent)
			}, func(f *simblob.Faults) { f.FlipBits, f.FlipMet = sim.Never, sim.Never })
		}}
}
