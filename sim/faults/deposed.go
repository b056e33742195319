package faults

import (
	"math/rand/v2"
	"time"
)

// deposed has some stars and clients go on with the deposed leader of a metastore shard: stale reads and lost writes at the
// same time.
func deposed() kind {
	return kind{Info{"deposed", "a deposed leader of a metastore shard answers some for a while: plain reads from before, writes without an outcome", []string{"meta.deposed"}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 10*time.Second, time.Minute), func(chance *rand.Rand) {
				var unaware []string
				for _, name := range p.callers() {
					if chance.IntN(2) == 0 {
						unaware = append(unaware, name)
					}
				}
				space, shard := p.shard(chance)
				p.fleet.Meta.Depose(space, shard, unaware, between(chance, 500*time.Millisecond, 30*time.Second))
			})
		}}
}
