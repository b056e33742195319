package absorb_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/absorb"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

// TestCommittersMeetAtOneKey lets the pass and the release flush of a live star and two settlers of its epoch commit one
// stream at the same moment, with stale reads, lost answers and late writes. Each key has one maker, and rows touch.
func TestCommittersMeetAtOneKey(t *testing.T) {
	for seed := range uint64(100) {
		r := newRig(t, seed)
		s := r.boot("a")
		r.until(time.Minute, func() bool { _, ok := s.writer.Current(); return ok })
		r.do(s.p, func(ctx context.Context) {
			s.open(ctx, "s")
			for range 30 {
				s.append("s", 500)
				_ = s.p.Sleep(ctx, 10*time.Millisecond)
			}
		})
		r.meta.SetFaults(simmeta.Faults{
			StaleReads: 30 * sim.Percent, StaleUpto: time.Second, LoseAfter: 20 * sim.Percent, Late: 10 * sim.Percent, LateUpto: time.Second,
		})
		r.pass(690 * time.Millisecond) // the pass of the first second is about to begin
		for _, name := range []string{"b", "c"} {
			u := r.life(name)
			u.p.Go("settle", func(ctx context.Context) { _ = absorb.Settle(ctx, u.env, u.stores, "a", 1) })
		}
		s.p.Go("release", func(ctx context.Context) { s.release(ctx, "s") })
		r.until(10*time.Minute, func() bool { return r.epoch("a", 1).State == records.ChainState_CHAIN_STATE_SETTLED })
		r.pass(time.Minute)
		r.meta.SetFaults(simmeta.Faults{})
		at := r.rows("s")[0].First
		for _, row := range r.rows("s") {
			if row.First != at {
				t.Fatalf("seed %d: rows do not touch at %d: %d", seed, at, row.First)
			}
			at = row.End()
		}
		s.p.Kill()
		r.settleAll("a")
		r.check("s")
		r.world.Close()
	}
}
