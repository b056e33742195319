package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// after runs fn once d has passed, unless the plan was healed before. fn must not wait.
func (p *Plan) after(d time.Duration, fn func()) {
	p.world.After(d, func() {
		if !p.healed {
			fn()
		}
	})
}

// strikes calls strike again and again, on average once in mean, until the plan's duration is over.
func (p *Plan) strikes(chance *rand.Rand, mean time.Duration, strike func()) {
	p.after(sim.Upto(chance, 2*mean), func() {
		if p.world.Now() < p.until {
			strike()
			p.strikes(chance, mean, strike)
		}
	})
}

// spells switches a fault that fires at a rate on and off, until the plan's duration is over: now on for a while, now off.
// On one seed of three it is on from start to end.
func (p *Plan) spells(chance *rand.Rand, on, off func()) {
	if chance.IntN(3) == 0 {
		on()
		p.applyRates()
		return
	}
	p.strikes(chance, between(chance, 20*time.Second, 2*time.Minute), func() {
		on()
		p.applyRates()
		p.after(between(chance, 2*time.Second, time.Minute), func() {
			off()
			p.applyRates()
		})
	})
}
