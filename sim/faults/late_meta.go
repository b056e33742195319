package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// lateMeta holds writes to the metastore back on their way: they land when their sender is dead or has been superseded.
func lateMeta() kind {
	return kind{Info{"late-meta", "a write to the metastore lands up to 9 min late, its sender alive or not", []string{"meta.late"}},
		func(p *Plan, chance *rand.Rand) {
			p.spells(chance, func() {
				p.meta.Late = between(chance, sim.PerMille, 3*sim.Percent)
				p.meta.LateUpto = between(chance, time.Second, LatestWrite)
			}, func() { p.meta.Late = sim.Never })
		}}
}
