package absorb_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

// TestFanout: a pass commits so many rows at once, and no more.
func TestFanout(t *testing.T) {
	for _, fanout := range []int{1, 3, 100} {
		const streams = 20
		r := newRig(t, 1)
		r.fanout = fanout
		s := r.boot("a")
		under, most := 0, 0
		r.world.OnStep(func(_ *sim.Process, name string) {
			if name == "absorb.row" {
				under++
				most = max(most, under)
			}
		})
		r.meta.OnWrite(func(w simmeta.Write) {
			if strings.Contains(w.Key, "/refs/") {
				under--
			}
		})
		r.until(time.Minute, func() bool { _, ok := s.writer.Current(); return ok })
		var ids []keys.StreamID
		for i := range streams {
			ids = append(ids, keys.StreamID(fmt.Sprintf("stream-%d", i)))
		}
		r.do(s.p, func(ctx context.Context) {
			for _, id := range ids {
				s.open(ctx, id)
			}
			for _, id := range ids {
				s.append(id, 10)
			}
		})
		r.pass(5 * time.Second)
		if want := min(fanout, streams); most > want || most < want*3/4 { // some land before others start
			t.Errorf("fan-out %d: at most %d rows at once, want about %d", fanout, most, want)
		}
		r.check(ids...)
	}
}
