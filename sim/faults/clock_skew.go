package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim/fleets"
)

// clockSkew sets the wall clock of each process of a star wrong from its start on, by an amount of its own.
func clockSkew() kind {
	const name = "clock-skew"
	return kind{Info{name, "the wall clocks of stars are wrong by up to 10 min, each by its own amount", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			most := between(chance, 10*time.Millisecond, 10*time.Minute)
			p.eachStart(func(chance *rand.Rand, s *fleets.Star) {
				p.world.CountFault(name, s.Name)
				s.Process.JumpWall(eitherWay(chance, most))
			})
		}}
}

// eitherWay draws a duration from -most to most.
func eitherWay(chance *rand.Rand, most time.Duration) time.Duration {
	return time.Duration(chance.Int64N(2*int64(most)+1)) - most
}
