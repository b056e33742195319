package faults

import (
	"math/rand/v2"
	"time"
)

// expiry ends the session of a star that is alive and well: its lease and registration vanish under it.
func expiry() kind {
	return kind{Info{"expiry", "the metastore session of a star that is alive and well ends", []string{"meta.spurious-expiry"}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 5*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				p.fleet.Meta.ExpireSession(oneOf(chance, p.fleet.Stars).Name)
			})
		}}
}
