package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

// split splits shards of the metastore while they work, as its operator does when they grow. Ephemeral rows that move may
// lose their session, and then outlive it for ever.
func split() kind {
	return kind{Info{Name: "split", Doc: "a shard of the metastore is split in two; ephemeral rows that move may outlive their session", Counts: []string{"meta.split"}},
		func(p *Plan, chance *rand.Rand) {
			bindings, _ := eitherRate(chance, sim.Percent, 30*sim.Percent)
			left := 1 + chance.IntN(4) // shards stay split
			p.strikes(between(chance, 30*time.Second, 2*time.Minute), func(chance *rand.Rand) {
				if left == 0 {
					return
				}
				left--
				space, shard := p.shard(chance)
				if space == simmeta.Naming {
					return // one shard by design
				}
				p.fleet.Meta.Split(space, shard, between(chance, 10*time.Millisecond, 5*time.Second), simmeta.Damage{Bindings: bindings})
			})
		}}
}
