package scenario

import (
	"testing"
	"time"
)

// TestLostWritesAreFound loses acknowledged writes of the metastore in a split, which no design survives: the checks see it.
func TestLostWritesAreFound(t *testing.T) {
	const most = 5
	for seed := range uint64(most) {
		r := mustRun(t, Options{Seed: 1 + seed, Faults: []string{"split-loss"}, Duration: 3 * time.Minute, Hasty: true})
		if len(r.Violations) > 0 {
			t.Logf("seed %d: %s: %s", 1+seed, r.Violations[0].Check, r.Violations[0].Sentence)
			return
		}
	}
	t.Errorf("not found by %d seeds", most)
}
