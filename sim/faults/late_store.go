package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
)

// lateStore holds writes to the stores back on their way: they land after their sender's death, or after the poison.
func lateStore() kind {
	return kind{Info{"late-store", "a write to a store lands up to 9 min late: after its sender died, or after the poison", []string{"blob.late"}},
		func(p *Plan, chance *rand.Rand) {
			p.storeSpells(chance, func(f *simblob.Faults) {
				f.Late = between(chance, sim.PerMille, 3*sim.Percent)
				f.LateUpto = between(chance, time.Second, LatestWrite)
			}, func(f *simblob.Faults) { f.Late = sim.Never })
		}}
}
