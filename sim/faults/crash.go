package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// crash kills a star at any instant and starts it again, with its disk.
func crash() kind {
	const name = "crash"
	return kind{Info{name, "a star dies at any instant and is started again soon, or about when its session ends", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 15*time.Second, 3*time.Minute), func(chance *rand.Rand) {
				s, release, ok := p.take(chance, name)
				if !ok {
					return
				}
				s.Crash()
				p.after(p.downTime(chance), func() {
					p.comeBack(chance, s)
					release()
				})
			})
		}}
}

// downTime draws how long a star is down: soon back, or back about when its session ends and its leases become free.
func (p *Plan) downTime(chance *rand.Rand) time.Duration {
	if chance.IntN(2) == 0 {
		return between(chance, 10*time.Millisecond, 10*time.Second)
	}
	timeOut := p.fleet.SessionTimeOut()
	return timeOut*3/4 + sim.Upto(chance, timeOut/2)
}
