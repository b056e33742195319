package faults

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// turn is a star and the version that it is taken to.
type turn struct {
	star  *fleets.Star
	newer bool
}

// rollingUpgrade takes the fleet to another version, one star after the other: each is told to stop and its next process must
// serve before the next star's turn. Now and then the operator turns back half way.
func rollingUpgrade() kind {
	const name = "rolling-upgrade"
	return kind{Info{Name: name, Doc: "one star after the other is told to stop and is started as another version", Counts: []string{name}},
		func(p *Plan, chance *rand.Rand) {
			under := false
			p.strikes(between(chance, time.Minute, 3*time.Minute), func(chance *rand.Rand) {
				if under {
					return
				}
				under = true
				newer, back := !p.fleet.Stars[0].Newer, chance.IntN(3) == 0
				var turns, returns []turn
				for i, s := range p.fleet.Stars {
					if back && i >= len(p.fleet.Stars)/2 {
						break
					}
					turns, returns = append(turns, turn{s, newer}), append(returns, turn{s, !newer})
				}
				if back {
					turns = append(turns, returns...)
				}
				p.upgrade(chance, name, turns, func() { under = false })
			})
		}}
}

// upgrade has one star after the other stop and come back. One that another fault has is passed over.
func (p *Plan) upgrade(chance *rand.Rand, name string, turns []turn, done func()) {
	if len(turns) == 0 {
		done()
		return
	}
	s, next := turns[0].star, func() { p.upgrade(chance, name, turns[1:], done) }
	if !p.free(s) || !slices.Contains(p.fleet.Stars, s) || p.world.Now() >= p.until {
		p.after(time.Second, next)
		return
	}
	release := p.grab(s, name)
	p.renew(s, between(chance, time.Second, 40*time.Second), sim.Upto(chance, 3*time.Second), func() { s.Newer = turns[0].newer }, func() {
		p.await(s, func() {
			release()
			next()
		})
	})
}

// await calls fn once the star serves, or is dead, or after a minute.
func (p *Plan) await(s *fleets.Star, fn func()) {
	until := p.world.Now() + time.Minute
	var look func()
	look = func() {
		if s.Serving != nil || !s.Alive() || p.world.Now() >= until {
			fn()
			return
		}
		p.after(500*time.Millisecond, look)
	}
	look()
}
