package leadership_test

import (
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// TestClaimOverAStaleRowOfUnknownOutcome: a star has led a stream and released it cleanly. Its next open reads the writer row as it was
// before, claims the same stream epoch once more over it, and does not learn that this failed. The row now shows that epoch, this
// star and this chain epoch, from the claim before: it proves nothing, for a mark of that epoch stands.
func TestClaimOverAStaleRowOfUnknownOutcome(t *testing.T) {
	for seed := range uint64(20) {
		r := newRig(t, seed, fleets.Config{Stars: 1})
		stream := r.streamFor(r.Stars[0], peer.ModeFenced, peer.ClassExpress)
		c := r.Scribe("c")
		stale(r)
		r.pass(2 * time.Second)
		pen := r.open(c, stream, client.ProducerOptions{})
		r.write(c, pen, 1)
		released := r.Writer(r.ID(stream)).GetStreamEpoch()
		r.close(c, pen)
		r.until("the release", func() bool { _, held := r.Lease(r.ID(stream)); return !held })

		claims := 0
		r.World.JudgeEffects(func(e sim.Effect) sim.Fate {
			if e.Step != "open.writer" || e.Kind != "meta.put" {
				return sim.Normal
			}
			if claims++; claims == 1 {
				return sim.Refused
			}
			return sim.Normal
		})
		pen = r.open(c, stream, client.ProducerOptions{})
		r.write(c, pen, 3)
		epoch := r.Writer(r.ID(stream)).GetStreamEpoch()
		r.check(claims > 1 && epoch > released, "led under epoch %d after %d claims, and had released %d", epoch, claims, released)
		r.close(c, pen)
		r.done()
	}
}
