package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim/simmeta"
)

// lapse cuts a star off from the metastore alone until its session has expired: it still reaches the stores and its clients.
func lapse() kind {
	const name = "lapse"
	return kind{Info{name, "a star is cut off from the metastore alone until its session has expired", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			timeOut := p.fleet.SessionTimeOut()
			p.strikes(between(chance, 30*time.Second, 3*time.Minute), func(chance *rand.Rand) {
				s, release, ok := p.take(chance, name)
				if !ok {
					return
				}
				star, meta := []string{s.Name}, []string{simmeta.Endpoint}
				p.fleet.Net.Partition(star, meta)
				p.after(timeOut+between(chance, time.Second, 2*timeOut), func() {
					p.mend(star, meta)
					release()
				})
			})
		}}
}
