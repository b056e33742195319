package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/script"
)

// after runs fn once d has passed, unless the plan was healed before. fn must not wait.
func (p *Plan) after(d time.Duration, fn func()) {
	p.world.After(d, func() {
		if !p.healed {
			fn()
		}
	})
}

// strikes calls strike again and again, on average once in mean, until the plan's duration is over. Each strike is an act of
// the kind with a random stream of its own, so that leaving one out changes nothing in the others.
func (p *Plan) strikes(mean time.Duration, strike func(chance *rand.Rand)) {
	line := p.world.Line(script.FaultPrefix + p.beginning)
	acts, scripted := line.Scripted()
	for _, act := range acts {
		p.after(act.At-p.world.Now(), func() { strike(line.Rand(act.N)) })
	}
	if scripted {
		return
	}
	p.again(line.Rand(0), mean, func() {
		cue := line.Next()
		strike(cue.Rand())
	})
}

// again calls fn again and again, on average once in mean, until the plan's duration is over.
func (p *Plan) again(chance *rand.Rand, mean time.Duration, fn func()) {
	wait := sim.Upto(chance, 2*mean)
	if p.world.Now()+wait >= p.until {
		return
	}
	p.after(wait, func() {
		fn()
		p.again(chance, mean, fn)
	})
}

// spells switches a fault that fires at a rate on and off, until the plan's duration is over: now on for a while, now off.
// On one seed of three it is on from start to end. With a script it is the script that has the hits.
func (p *Plan) spells(chance *rand.Rand, on, off func()) {
	if chance.IntN(3) == 0 {
		on()
		p.applyRates()
		return
	}
	p.again(chance, between(chance, 20*time.Second, 2*time.Minute), func() {
		on()
		p.applyRates()
		p.after(between(chance, 2*time.Second, time.Minute), func() {
			off()
			p.applyRates()
		})
	})
}
