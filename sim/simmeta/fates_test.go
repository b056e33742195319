package simmeta_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

func TestFates(t *testing.T) {
	for _, c := range []struct {
		fate              sim.Fate
		happens, afterRel bool
		dies              bool
	}{
		{sim.Before, false, false, true},
		{sim.After, true, true, true},
		{sim.Late, false, true, true},
		{sim.Lost, true, true, false},
		{sim.Refused, false, false, false},
	} {
		t.Run(c.fate.String(), func(t *testing.T) {
			f := newFixture(t, 1)
			p := f.world.Process("a1")
			rec := f.store.Spaces(p).Records
			f.world.JudgeEffects(func(e sim.Effect) sim.Fate {
				if e.Step == "mint.row" && e.Kind == "meta.put" && e.Target == "k" && e.Ordinal == 1 {
					return c.fate
				}
				return sim.Normal
			})
			returned, outcome := false, error(nil)
			p.Go("mint", func(ctx context.Context) {
				p.Step(ctx, "mint.row")
				_, outcome = rec.Put(ctx, "k", nil, meta.Absent())
				returned = true
			})
			f.run(time.Minute)
			_, happened := f.store.Peek(simmeta.Records, "k")
			if happened != c.happens || p.Alive() == c.dies || returned == c.dies || errors.Is(outcome, meta.ErrUnknown) == c.dies {
				t.Errorf("happened %v, alive %v, returned %v, outcome %v", happened, p.Alive(), returned, outcome)
			}
			f.world.Release()
			f.run(time.Second)
			if _, happened := f.store.Peek(simmeta.Records, "k"); happened != c.afterRel {
				t.Errorf("after the release: happened %v", happened)
			}
		})
	}
}
