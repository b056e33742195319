package faults

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

const lossName = "split-loss"

// Beyond says whether the fault breaks what Nova relies on: it strikes only where it is named, and the checks must find it.
func (i Info) Beyond() bool { return i.Name == lossName }

// splitLoss splits shards of the system of record and takes the rows that move some seconds back: acknowledged CAS writes
// are lost, which no design survives. It is there to prove that the checks see it.
func splitLoss() kind {
	return kind{Info{Name: lossName, Doc: "a split of a shard loses writes of the last seconds: beyond what Nova promises to survive", Counts: []string{lossName}},
		func(p *Plan, chance *rand.Rand) {
			const back = 20 * time.Second
			p.meta.Past = back
			p.applyRates()
			p.strikes(30*time.Second, func(chance *rand.Rand) {
				if p.fleet.Meta.Shards(simmeta.Records) > 16 {
					return
				}
				shard := chance.IntN(p.fleet.Meta.Shards(simmeta.Records))
				p.world.CountFault(lossName, simmeta.Endpoint)
				p.fleet.Meta.Split(simmeta.Records, shard, time.Second, simmeta.Damage{RollBack: time.Second + sim.Upto(chance, back-time.Second)})
			})
		}}
}
