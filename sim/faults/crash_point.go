package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// crashPoint lets one effect of a star go wrong: the star dies before it, after it, or long before it lands; or the star
// lives and only the answer is lost. It decides the fates of all effects of the world while it aims.
func crashPoint() kind {
	const name = "crash-point"
	return kind{Info{name, "a star dies at one of its own effects, before it, after it or before it lands late; or only the answer is lost", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			aiming := false
			p.onHeal(func() {
				p.world.JudgeEffects(nil)
				p.world.Release()
			})
			p.strikes(chance, between(chance, 15*time.Second, 2*time.Minute), func() {
				if aiming {
					return
				}
				if s, release, ok := p.take(chance, name); ok {
					aiming = true
					p.aim(chance, s, func() {
						aiming = false
						release()
					})
				}
			})
		}}
}

// aim decides the fate of one of the star's next effects, and starts the star again if it died of it.
func (p *Plan) aim(chance *rand.Rand, s *fleets.Star, done func()) {
	process, fate, left := s.Process, oneOf(chance, sim.Fates()), between(chance, 1, sim.Rate(500))
	hit := false
	p.world.JudgeEffects(func(e sim.Effect) sim.Fate {
		if e.Process != process || hit {
			return sim.Normal
		}
		if left--; left > 0 {
			return sim.Normal
		}
		hit = true
		return fate
	})
	p.after(10*time.Second, func() {
		p.world.JudgeEffects(nil)
		if process.Alive() {
			done()
			return
		}
		s.Serving = nil
		p.after(p.downTime(chance), func() {
			p.comeBack(chance, s)
			done()
		})
		p.after(between(chance, 10*time.Millisecond, 2*time.Minute), p.world.Release)
	})
}
