package faults

import (
	"math/rand/v2"
	"time"
)

// oneWay cuts one direction between two endpoints: requests arrive and answers do not, or the other way round.
func oneWay() kind {
	const name = "one-way"
	return kind{Info{name, "messages are lost in one direction between two endpoints for a while", []string{name, "network.partition"}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 15*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				one, other := p.pair(chance)
				from, to := one[0], other[0]
				if chance.IntN(2) == 0 {
					from, to = to, from
				}
				p.world.CountFault(name, from)
				p.fleet.Net.Cut(from, to)
				p.after(p.cutTime(chance), func() { p.fleet.Net.Mend(from, to) })
			})
		}}
}
