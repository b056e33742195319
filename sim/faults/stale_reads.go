package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// staleReads answers plain reads of the metastore from earlier states; fresh reads are never stale.
func staleReads() kind {
	return kind{Info{"stale-reads", "plain reads of the metastore are answered by a deposed leader, from a state up to 30 s old", []string{"meta.stale-read"}},
		func(p *Plan, chance *rand.Rand) {
			p.spells(chance, func() {
				p.meta.StaleReads = between(chance, sim.Percent, 50*sim.Percent)
				p.meta.StaleUpto = between(chance, 100*time.Millisecond, 30*time.Second)
			}, func() { p.meta.StaleReads = sim.Never })
		}}
}
