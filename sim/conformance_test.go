package sim

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/io/iotest"
)

func TestConformance(t *testing.T) {
	for _, c := range iotest.Runtime() {
		t.Run(c.Name, func(t *testing.T) {
			for seed := range uint64(5) {
				w := newWorld(t, seed)
				p := w.Process("a1")
				finished := false
				p.Go("suite", func(ctx context.Context) {
					c.Run(iotest.RuntimeHarness{Harness: iotest.Harness{T: t, Ctx: ctx, Run: p}})
					finished = true
				})
				must(t, w.RunUntil(24*time.Hour, func() bool { return finished }))
			}
		})
	}
}
