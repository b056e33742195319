package faults

import (
	"math/rand/v2"
	"time"
)

// slowCPU makes every step of a star's tasks take time.
func slowCPU() kind {
	const name = "slow-cpu"
	return kind{Info{name, "each step of a star takes up to 2 ms for a while", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 15*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				s, ok := p.alive(chance)
				if !ok {
					return
				}
				process := s.Process
				quick := func() {
					if process.Alive() {
						process.SetSlow(0)
					}
				}
				p.world.CountFault(name, s.Name)
				process.SetSlow(between(chance, 5*time.Microsecond, 2*time.Millisecond))
				p.onHeal(quick)
				p.after(between(chance, time.Second, time.Minute), quick)
			})
		}}
}
