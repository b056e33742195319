package simmeta_test

import (
	"context"
	"testing"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
)

func BenchmarkPutGet(b *testing.B) {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	store := simmeta.New(simnet.New(w, simnet.Config{}), simmeta.Config{})
	p := w.Process("a1")
	rec := store.Spaces(p).Records.Within("streams/s")
	calls := 0
	for range 8 {
		p.Go("client", func(ctx context.Context) {
			for {
				_, _ = rec.Put(ctx, "streams/s/writer", []byte("some value of a row"), meta.Any())
				_, _ = rec.Get(ctx, "streams/s/writer")
				calls += 2
			}
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		w.Step()
	}
	b.ReportMetric(float64(w.Steps())/float64(max(calls, 1)), "steps/call")
}
