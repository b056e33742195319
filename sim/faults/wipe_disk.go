package faults

import (
	"math/rand/v2"
	"time"
)

// wipeDisk kills a star and empties its disk: what starts there is another star, and nobody is the old one any more.
func wipeDisk() kind {
	return kind{Info{"wipe-disk", "a star dies and loses its disk; its place is taken by a star of a new identity", []string{"disk.wipe"}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, time.Minute, 4*time.Minute), func(chance *rand.Rand) {
				s, release, ok := p.take(chance, "wipe-disk")
				if !ok {
					return
				}
				s.Crash()
				s.Disk.Wipe(s.Name)
				p.after(between(chance, 100*time.Millisecond, 30*time.Second), func() {
					p.start(s)
					release()
				})
			})
		}}
}
