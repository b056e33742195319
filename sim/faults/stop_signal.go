package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// stopSignal tells a star to stop at the worst times: again while it stops, and while its next process boots.
func stopSignal() kind {
	const name = "stop-signal"
	return kind{Info{Name: name, Doc: "a star is told to stop, again while it stops, and while its next process boots", Counts: []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 20*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				s, release, ok := p.take(chance, name)
				if !ok {
					return
				}
				process := s.Process
				if chance.IntN(2) == 0 { // a second signal ends it at once
					p.after(sim.Upto(chance, 3*time.Second), func() {
						if s.Process == process {
							s.Crash()
						}
					})
				}
				again := chance.IntN(3)
				p.renew(s, between(chance, time.Second, 40*time.Second), between(chance, time.Millisecond, 3*time.Second), func() {}, func() {
					p.stopAtBoot(chance, s, again, release)
				})
			})
		}}
}

// stopAtBoot tells a star that has just been started to stop, so many times.
func (p *Plan) stopAtBoot(chance *rand.Rand, s *fleets.Star, times int, done func()) {
	if times == 0 || p.healed {
		done()
		return
	}
	process := s.Process
	p.world.After(sim.Upto(chance, 300*time.Millisecond), func() {
		if p.healed || s.Process != process || !s.Alive() {
			done()
			return
		}
		p.renew(s, time.Second, between(chance, time.Millisecond, time.Second), func() {}, func() { p.stopAtBoot(chance, s, times-1, done) })
	})
}
