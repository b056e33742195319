package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// slowLink makes every message between two endpoints slow, in both directions.
func slowLink() kind {
	const name = "slow-link"
	return kind{Info{name, "all messages between two endpoints take up to a second longer for a while", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 10*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				one, other := p.pair(chance)
				by := sim.Latency{Base: between(chance, 2*time.Millisecond, 500*time.Millisecond)}
				by.Spread = by.Base
				p.world.CountFault(name, one[0])
				p.fleet.Net.Slow(one[0], other[0], by)
				p.fleet.Net.Slow(other[0], one[0], by)
				p.after(p.cutTime(chance), func() { p.mend(one, other) })
			})
		}}
}
