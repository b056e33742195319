package faults

import (
	"math/rand/v2"
	"time"
)

// stayAway kills a star for the rest of the plan: others must take over all that it led.
func stayAway() kind {
	const name = "stay-away"
	return kind{Info{name, "a star dies and comes back only when all is healed", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			left := 1 + chance.IntN(2)
			p.strikes(between(chance, 20*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				if left == 0 {
					return
				}
				if s, _, ok := p.take(chance, name); ok {
					left--
					s.Crash()
				}
			})
		}}
}
