package faults

import (
	"math/rand/v2"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
)

// errorStore has stores answer writes with internal errors.
func errorStore() kind {
	return kind{Info{"error-store", "a write to a store is answered 5xx, executed or not", []string{"blob.error-before", "blob.error-after"}},
		func(p *Plan, chance *rand.Rand) {
			p.storeSpells(chance, func(f *simblob.Faults) {
				f.ErrorBefore, f.ErrorAfter = eitherRate(chance, sim.PerMille, 5*sim.Percent)
			}, func(f *simblob.Faults) { f.ErrorBefore, f.ErrorAfter = sim.Never, sim.Never })
		}}
}
