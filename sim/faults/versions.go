package faults

import (
	"math/rand/v2"
	"time"
)

// versions stops a star and starts it as another version: the next one, whose records have fields that the others do not know
// and must keep, or the present one again.
func versions() kind {
	const name = "versions"
	return kind{Info{Name: name, Doc: "a star is started again as another version, which writes fields that the others do not know", Counts: []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 20*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				s, release, ok := p.take(chance, name)
				if !ok {
					return
				}
				p.renew(s, between(chance, 20*time.Millisecond, 30*time.Second), between(chance, time.Millisecond, 5*time.Second), func() {
					s.Newer = !s.Newer
				}, release)
			})
		}}
}
