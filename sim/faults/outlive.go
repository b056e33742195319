package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// outlive leaves the rows of ended sessions in place for a while: leases and registrations of the dead.
func outlive() kind {
	return kind{Info{"outlive", "ephemeral rows outlive their session by up to 2 min", []string{"meta.outlive"}},
		func(p *Plan, chance *rand.Rand) {
			p.spells(chance, func() {
				p.meta.Outlive = between(chance, 10*sim.Percent, sim.Always)
				p.meta.OutliveUpto = between(chance, time.Second, 2*time.Minute)
			}, func() { p.meta.Outlive = sim.Never })
		}}
}
