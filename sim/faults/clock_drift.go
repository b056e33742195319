package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim/fleets"
)

// clockDrift makes the clocks of each process of a star run fast or slow, monotonic and wall alike.
func clockDrift() kind {
	const name = "clock-drift"
	return kind{Info{name, "the clocks of stars run fast or slow by up to 5%, each at its own rate", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			most := between(chance, time.Microsecond, 50*time.Millisecond) // in a second
			p.eachStart(func(chance *rand.Rand, s *fleets.Star) {
				process := s.Process
				p.world.CountFault(name, s.Name)
				process.SetDrift(int(eitherWay(chance, most) / time.Microsecond))
				p.onHeal(func() {
					if process.Alive() {
						process.SetDrift(0)
					}
				})
			})
		}}
}
