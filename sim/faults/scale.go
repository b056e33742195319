package faults

import (
	"math/rand/v2"
	"time"
)

// How far a fleet is scaled.
const (
	mostAdded = 3
	leastLeft = 2
)

// scaleUp adds stars to the fleet while it works.
func scaleUp() kind {
	const name = "scale-up"
	return kind{Info{Name: name, Doc: "a star is added to the fleet, up to three", Counts: []string{name}},
		func(p *Plan, chance *rand.Rand) {
			left := mostAdded
			p.strikes(between(chance, 20*time.Second, 2*time.Minute), func(*rand.Rand) {
				if left == 0 {
					return
				}
				left--
				s := p.fleet.Add()
				p.world.CountFault(name, s.Name)
				p.start(s)
			})
		}}
}

// scaleDown takes stars out of the fleet: they are told to stop, killed where they take too long, and never come back.
func scaleDown() kind {
	const name = "scale-down"
	return kind{Info{Name: name, Doc: "a star is told to stop for good, down to two stars, and killed where it takes too long", Counts: []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 30*time.Second, 3*time.Minute), func(chance *rand.Rand) {
				if len(p.fleet.Stars) <= leastLeft {
					return
				}
				s, release, ok := p.take(chance, name)
				if !ok {
					return
				}
				s.Process.OnDeath(release)
				p.fleet.Remove(s)
				s.Stop(between(chance, time.Second, 40*time.Second))
			})
		}}
}
