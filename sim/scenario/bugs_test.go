package scenario

import (
	"testing"
	"time"

	"github.com/novastream/nova/core/planted"
)

// pinned is the seed that found each planted bug when this was written, in runs of three minutes.
var pinned = map[planted.Bug]uint64{
	planted.NoPrefixAck: 1, planted.AckBeforeQuorum: 1, planted.NoPoison: 1, planted.PoisonDeleted: 6, planted.NoOwnCopyCheck: 1,
	planted.CountingIsDefinite: 15, planted.IdentityIsProcess: 7, planted.FencerTrustsOneStore: 15, planted.SkipReleaseFlush: 1,
	planted.LeaseIsTheGuard: 5, planted.GateByScan: 18, planted.TailBeforeCAS: 5, planted.LeadPastEpoch: 1, planted.AckAfterMark: 5,
	planted.RefuseUnconfirmed: 13, planted.NoTailBarrier: 1, planted.CreateIsCoverage: 6, planted.CheckpointBeforeRows: 1, planted.EpochInMemory: 1,
}

// mostSeeds is how many seeds are tried from the pinned one on: what changes the course of runs moves a find to a neighbour.
const mostSeeds = 60

// TestPlantedBugs proves that the checks see something: each planted bug is found, on seeds on which the correct core passes.
func TestPlantedBugs(t *testing.T) {
	for _, bug := range planted.All() {
		t.Run(bug.String(), func(t *testing.T) {
			t.Parallel()
			for tried := range uint64(mostSeeds) {
				o := Options{Seed: pinned[bug] + tried, Bugs: planted.Of(bug), Duration: 3 * time.Minute}
				r := mustRun(t, o)
				if len(r.Violations) == 0 {
					continue
				}
				t.Logf("seed %d, after %d: %s: %s", o.Seed, tried, r.Violations[0].Check, r.Violations[0].Sentence)
				o.Bugs = planted.Set{}
				clean(t, mustRun(t, o))
				return
			}
			t.Errorf("not found by seeds %d to %d", pinned[bug], pinned[bug]+mostSeeds-1)
		})
	}
}
