package faults

import (
	"math/rand/v2"
	"time"
)

// restart tells a star to stop, as SIGTERM does, and starts it again once it has ended. One that does not end within its
// budget, which may be short, is killed.
func restart() kind {
	const name = "restart"
	return kind{Info{name, "a star is told to stop, is killed where it takes too long, and is started again", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 20*time.Second, 3*time.Minute), func(chance *rand.Rand) {
				s, release, ok := p.take(chance, name)
				if !ok {
					return
				}
				away := between(chance, time.Millisecond, 20*time.Second)
				p.renew(s, between(chance, 20*time.Millisecond, 40*time.Second), away, func() {}, release)
			})
		}}
}
