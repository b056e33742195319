package chain_test

import (
	"time"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simmeta"
)

// lossy is a store that loses answers and requests at a rate, and errs at as much again.
func lossy(rate sim.Rate) simblob.Faults {
	return simblob.Faults{LoseAfter: rate / 4, LoseBefore: rate / 4, ErrorAfter: rate / 4, ErrorBefore: rate / 4, Repeat: rate / 4, Conflict: rate}
}

// unkind is a store with every fault but damage.
func unkind(rate sim.Rate) simblob.Faults {
	f := lossy(rate)
	f.Refuse, f.Late, f.LateUpto, f.FlipBits = rate/2, rate, time.Minute, rate/2
	f.SlowList, f.SlowListUpto = rate, 5*time.Second
	return f
}

// unkindMeta is a metastore that loses, refuses, delays, and answers plain reads from the past.
func unkindMeta(rate sim.Rate) simmeta.Faults {
	return simmeta.Faults{
		StaleReads: 3 * rate, StaleUpto: 5 * time.Second, Refuse: rate, LoseBefore: rate, LoseAfter: rate, Late: rate, LateUpto: 30 * time.Second,
	}
}

func absent() meta.Expect { return meta.Absent() }
