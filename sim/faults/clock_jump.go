package faults

import (
	"math/rand/v2"
	"time"
)

// clockJump sets the wall clock of a running star, forwards or back. Its timers do not notice.
func clockJump() kind {
	const name = "clock-jump"
	return kind{Info{name, "the wall clock of a star jumps by up to 10 min, forwards or back", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			most := between(chance, time.Millisecond, 10*time.Minute)
			p.strikes(between(chance, 5*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				if s, ok := p.alive(chance); ok {
					p.world.CountFault(name, s.Name)
					s.Process.JumpWall(eitherWay(chance, most))
				}
			})
		}}
}
