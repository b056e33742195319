package faults

import (
	"math/rand/v2"
	"time"
)

// stall holds a star for less than its session lives, as a collection of garbage or a busy host does.
func stall() kind {
	const name = "stall"
	return kind{Info{name, "a star is held for 5 ms to 8 s, less than its session lives", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 3*time.Second, time.Minute), func(chance *rand.Rand) {
				p.hold(chance, name, between(chance, 5*time.Millisecond, min(8*time.Second, p.fleet.SessionTimeOut()/2)))
			})
		}}
}
