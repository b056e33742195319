package refs_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/core/refs"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
)

// TestReader: a row is decoded again when it has changed, and only then.
func TestReader(t *testing.T) {
	w := sim.New(sim.Config{Seed: 1})
	t.Cleanup(w.Close)
	p := w.Process("a1")
	m := simmeta.New(simnet.New(w, simnet.Config{}), simmeta.Config{}).Spaces(p).Records
	p.Go("test", func(ctx context.Context) {
		reader := refs.NewReader()
		look := func(want uint64) refs.Row {
			row, found, err := reader.Floor(ctx, m, "s", 7)
			if err != nil || !found || row.Value.GetEnd() != want {
				t.Errorf("the row is %v, %v, %v; its end has to be %d", row.Value, found, err, want)
			}
			return row
		}
		if _, found, err := reader.Last(ctx, m, "s"); found || err != nil {
			t.Errorf("there is a row already, or %v", err)
		}
		if _, err := refs.Create(ctx, m, "s", 5, &records.RefRow{End: 8, LastStampUs: 1}); err != nil {
			t.Error(err)
		}
		first := look(8)
		if look(8).Value != first.Value {
			t.Error("the same row was decoded twice")
		}
		changed := refs.Row{First: 5, Version: first.Version, Value: &records.RefRow{End: 9, LastStampUs: 1}}
		if _, err := refs.Replace(ctx, m, "s", changed); err != nil {
			t.Error(err)
		}
		look(9)
		if first.Value.GetEnd() != 8 {
			t.Error("a row that was given out changed")
		}
		if _, found, err := reader.Before(ctx, m, "s", 5); found || err != nil {
			t.Errorf("there is a row before the first, or %v", err)
		}
	})
	if err := w.RunFor(time.Minute); err != nil {
		t.Fatal(err)
	}
}
