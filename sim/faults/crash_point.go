package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// crashPoint lets one effect of a star go wrong: the star dies before it, after it, or long before it lands; or the star
// lives and only the answer is lost. Sometimes the star is one that is just coming back. It decides the fates of all effects
// of the world while it aims.
func crashPoint() kind {
	const name = "crash-point"
	return kind{Info{name, "a star dies at one of its own effects, before it, after it or before it lands late; or only the answer is lost", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.onHeal(func() {
				p.world.JudgeEffects(nil)
				p.world.Release()
			})
			p.strikes(between(chance, 15*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				if p.aiming {
					return
				}
				s, release, ok := p.take(chance, name)
				if !ok {
					return
				}
				p.aiming = true
				done := func() {
					p.aiming = false
					release()
				}
				if chance.IntN(3) > 0 {
					p.aim(chance, s, done)
					return
				}
				s.Crash()
				p.after(p.downTime(chance), func() {
					p.comeBack(chance, s)
					p.aim(chance, s, done)
				})
			})
		}}
}

// aimTime is how long an effect to hit is waited for.
const aimTime = 15 * time.Second

// aim decides the fate of one of the star's next effects, and starts the star again if it died of it.
func (p *Plan) aim(chance *rand.Rand, s *fleets.Star, done func()) {
	process, fate, target := s.Process, oneOf(chance, sim.Fates()), p.target(chance)
	hit := false
	p.world.JudgeEffects(func(e sim.Effect) sim.Fate {
		if hit || e.Process != process || !target(e) {
			return sim.Normal
		}
		hit = true
		return fate
	})
	p.after(aimTime, func() {
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

// target draws which effect is hit: the next of so many, or one that follows a named step, where rare steps are drawn as
// often as frequent ones.
func (p *Plan) target(chance *rand.Rand) func(sim.Effect) bool {
	left := between(chance, 1, 300)
	steps := p.world.Counters().Steps()
	if len(steps) == 0 || chance.IntN(2) == 0 {
		return func(sim.Effect) bool {
			left--
			return left == 0
		}
	}
	step := oneOf(chance, steps).Name
	left = between(chance, 1, 4)
	return func(e sim.Effect) bool {
		if e.Step == step {
			left--
		}
		return e.Step == step && left == 0
	}
}
