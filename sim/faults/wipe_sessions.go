package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim/simmeta"
)

// wipeSessions empties the ephemeral namespace: every session ends, every lease and registration is gone at once.
func wipeSessions() kind {
	return kind{Info{"wipe-sessions", "every session of the metastore ends at once, and every ephemeral row is gone", []string{"meta.wipe-ephemeral"}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, time.Minute, 5*time.Minute), func(chance *rand.Rand) { p.fleet.Meta.Wipe(simmeta.Ephemeral) })
		}}
}
