package faults

import (
	"math/rand/v2"
	"time"
)

// isolate cuts a star off from everything, longer than its session lives or shorter.
func isolate() kind {
	const name = "isolate"
	return kind{Info{name, "a star is cut off from everything for a while", []string{name, "network.partition"}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 20*time.Second, 3*time.Minute), func(chance *rand.Rand) {
				s, release, ok := p.take(chance, name)
				if !ok {
					return
				}
				p.fleet.Net.Isolate(s.Name)
				p.after(p.cutTime(chance), func() {
					p.fleet.Net.Rejoin(s.Name)
					release()
				})
			})
		}}
}
