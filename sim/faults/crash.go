package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// crash kills a star at any instant and starts it again soon, with its disk.
func crash() kind {
	const name = "crash"
	return kind{Info{name, "a star dies at any instant and is started again within 20 s", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(chance, between(chance, 15*time.Second, 3*time.Minute), func() {
				s, release, ok := p.take(chance, name)
				if !ok {
					return
				}
				s.Crash()
				p.after(sim.Upto(chance, between(chance, 10*time.Millisecond, 20*time.Second)), func() {
					p.start(s)
					release()
				})
			})
		}}
}
