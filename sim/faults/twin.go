package faults

import (
	"math/rand/v2"
	"time"
)

// twin holds a star and starts a second process with its identity and disk, as a platform does that has given a host up too
// early; then the first wakes, and both live for a while. Whichever loses the identity to the other stops for good, so in
// the end both are killed and the place is started anew.
func twin() kind {
	const name = "twin"
	return kind{Info{name, "a star is held, a second process takes its identity, and the first wakes", []string{name}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 40*time.Second, 4*time.Minute), func(chance *rand.Rand) {
				s, release, ok := p.take(chance, name)
				if !ok {
					return
				}
				first, over := s.Process, false
				end := func() {
					if !over {
						over = true
						first.Kill()
						s.Crash()
					}
				}
				first.Pause()
				p.onHeal(end)
				p.after(between(chance, 10*time.Millisecond, 30*time.Second), func() {
					s.Process, s.Serving = nil, nil // the place has forgotten it
					p.comeBack(chance, s)
					p.after(between(chance, time.Second, time.Minute), first.Resume)
					p.after(time.Minute+between(chance, time.Second, 2*time.Minute), func() {
						end()
						p.start(s)
						release()
					})
				})
			})
		}}
}
