package faults

import (
	"math/rand/v2"
	"time"
)

// partition cuts two endpoints, or two halves of the fleet, off from each other in both directions.
func partition() kind {
	const name = "partition"
	return kind{Info{name, "two endpoints, or two halves of the fleet, do not reach each other for a while", []string{name, "network.partition"}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 15*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				one, other := p.pair(chance)
				if chance.IntN(4) == 0 {
					one, other = p.halves(chance)
				}
				p.world.CountFault(name, one[0])
				p.fleet.Net.Partition(one, other)
				p.after(p.cutTime(chance), func() { p.mend(one, other) })
			})
		}}
}

// pair draws a caller and something that it calls: a star or a service.
func (p *Plan) pair(chance *rand.Rand) (one, other []string) {
	caller := oneOf(chance, p.callers())
	called := p.services()
	for _, s := range p.fleet.Stars {
		if s.Name != caller {
			called = append(called, s.Name)
		}
	}
	return []string{caller}, []string{oneOf(chance, called)}
}

// halves draws two sides of all callers and services.
func (p *Plan) halves(chance *rand.Rand) (one, other []string) {
	all := append(p.callers(), p.services()...)
	chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	at := 1 + chance.IntN(len(all)-1)
	return all[:at], all[at:]
}

// cutTime draws how long a cut lasts: short ones and such as outlive sessions.
func (p *Plan) cutTime(chance *rand.Rand) time.Duration {
	return between(chance, 500*time.Millisecond, 4*p.fleet.SessionTimeOut())
}

// mend makes the links between two sides as new.
func (p *Plan) mend(one, other []string) {
	for _, a := range one {
		for _, b := range other {
			p.fleet.Net.Mend(a, b)
			p.fleet.Net.Mend(b, a)
		}
	}
}
