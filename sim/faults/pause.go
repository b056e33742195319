package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// pause holds a star for longer than its metastore session lives: it wakes as a zombie that does not know what it missed.
func pause() kind {
	const name = "pause"
	return kind{Info{name, "a star is held for one to four session time-outs and wakes as a zombie", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			timeOut := p.fleet.SessionTimeOut()
			p.strikes(between(chance, 30*time.Second, 3*time.Minute), func(chance *rand.Rand) {
				p.hold(chance, name, between(chance, timeOut, 4*timeOut))
			})
		}}
}

// hold pauses one star for a while.
func (p *Plan) hold(chance *rand.Rand, fault string, lasting time.Duration) {
	s, release, ok := p.take(chance, fault)
	if !ok {
		return
	}
	process := s.Process
	process.Pause()
	p.wake(process, lasting, release)
}

// wake ends the pause of a process after a while, and at the latest when all is healed; done is called behind it.
func (p *Plan) wake(process *sim.Process, after time.Duration, done func()) {
	wake := func() {
		if process.Alive() {
			process.Resume()
		}
	}
	p.onHeal(wake)
	p.after(after, func() {
		wake()
		done()
	})
}
