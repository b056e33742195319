package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// delay holds messages back for up to three seconds.
func delay() kind {
	return kind{Info{"delay", "messages are held back and overtaken by later ones", []string{"network.delay"}},
		func(p *Plan, chance *rand.Rand) {
			p.spells(chance, func() {
				p.net.Delay = between(chance, sim.PerMille, 20*sim.Percent)
				p.net.DelayUpto = between(chance, 5*time.Millisecond, 3*time.Second)
			}, func() { p.net.Delay = sim.Never })
		}}
}
