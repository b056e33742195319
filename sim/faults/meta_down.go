package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim/simmeta"
)

// metaDown takes one shard of the metastore away for a while; it refuses every call.
func metaDown() kind {
	return kind{Info{"meta-down", "one shard of the metastore is unavailable for a while", []string{"meta.down"}},
		func(p *Plan, chance *rand.Rand) {
			p.strikes(between(chance, 30*time.Second, 3*time.Minute), func(chance *rand.Rand) {
				up := p.fleet.Meta.Down(p.shard(chance))
				p.onHeal(up)
				p.after(between(chance, 100*time.Millisecond, 2*p.fleet.SessionTimeOut()), up)
			})
		}}
}

// shard draws a shard of the metastore.
func (p *Plan) shard(chance *rand.Rand) (simmeta.Space, int) {
	space := oneOf(chance, []simmeta.Space{simmeta.Records, simmeta.Records, simmeta.Work, simmeta.Ephemeral, simmeta.Naming})
	return space, chance.IntN(p.fleet.Meta.Shards(space))
}
