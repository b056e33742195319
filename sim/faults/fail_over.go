package faults

import (
	"math/rand/v2"
	"time"
)

// failOver moves the leadership of one shard of the metastore: what arrives meanwhile has an unknown outcome.
func failOver() kind {
	return kind{Info{"fail-over", "a shard of the metastore fails over; calls that arrive meanwhile are not answered", []string{"meta.fail-over"}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 10*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				space, shard := p.shard(chance)
				p.fleet.Meta.FailOver(space, shard, between(chance, 10*time.Millisecond, 5*time.Second))
			})
		}}
}
