package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
)

// slowList makes listings of stores slow.
func slowList() kind {
	return kind{Info{"slow-list", "listings of a store take up to 20 s", []string{"blob.slow-list"}},
		func(p *Plan, chance *rand.Rand) {
			p.storeSpells(chance, func(f *simblob.Faults) {
				f.SlowList = between(chance, 10*sim.Percent, sim.Always)
				f.SlowListUpto = between(chance, 10*time.Millisecond, 20*time.Second)
			}, func(f *simblob.Faults) { f.SlowList = sim.Never })
		}}
}
