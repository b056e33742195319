package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
)

// lostStore has writes to stores time out: the caller cannot know whether they happened.
func lostStore() kind {
	return kind{Info{"lost-store", "a write to a store times out, executed or not", []string{"blob.lose-before", "blob.lose-after"}},
		func(p *Plan, chance *rand.Rand) {
			p.storeSpells(chance, func(f *simblob.Faults) {
				f.LoseBefore, f.LoseAfter = eitherRate(chance, sim.PerMille, 5*sim.Percent)
			}, func(f *simblob.Faults) { f.LoseBefore, f.LoseAfter = sim.Never, sim.Never })
		}}
}
