package simblob_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simnet"
)

type fixture struct {
	*testing.T
	world *sim.World
	store *simblob.Store
}

func newFixture(t *testing.T, seed uint64) *fixture {
	w := sim.New(sim.Config{Seed: seed})
	t.Cleanup(w.Close)
	return &fixture{t, w, simblob.New(simnet.New(w, simnet.Config{}), "standard", simblob.Config{})}
}

func (f *fixture) do(fn func(ctx context.Context)) {
	f.Helper()
	if err := f.world.Do(time.Hour, fn); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) run(d time.Duration) {
	f.Helper()
	if err := f.world.RunFor(d); err != nil {
		f.Fatal(err)
	}
}

func TestConformance(t *testing.T) {
	for _, c := range iotest.Blob() {
		t.Run(c.Name, func(t *testing.T) {
			f := newFixture(t, 1)
			f.do(func(ctx context.Context) {
				d := f.world.Driver()
				c.Run(iotest.BlobHarness{Harness: iotest.Harness{T: t, Ctx: ctx, Run: d}, Store: f.store.Client(d)})
			})
		})
	}
}

func TestLateCreateLandsUnlessAnObjectIsThere(t *testing.T) {
	f := newFixture(t, 1)
	f.store.SetFaults(simblob.Faults{Late: sim.Always, LateUpto: 5 * time.Minute})
	p := f.world.Process("a1")
	for _, key := range []string{"chains/a1/0", "chains/a1/1"} {
		p.Go("put", func(ctx context.Context) {
			if outcome, err := f.store.Client(p).PutIfAbsent(ctx, key, []byte("flight")); outcome != blob.Unknown || !errors.Is(err, blob.ErrUnknown) {
				t.Errorf("%v, %v", outcome, err)
			}
		})
	}
	f.run(4 * time.Second)
	f.store.SetFaults(simblob.Faults{})
	p.Kill()
	f.do(func(ctx context.Context) {
		outcome, err := f.store.Client(f.world.Driver()).PutIfAbsent(ctx, "chains/a1/1", []byte("poison"))
		if outcome != blob.Created || err != nil {
			t.Fatalf("%v, %v", outcome, err)
		}
	})
	f.run(5 * time.Minute)
	first, _ := f.store.Peek("chains/a1/0")
	second, _ := f.store.Peek("chains/a1/1")
	if string(first) != "flight" || string(second) != "poison" {
		t.Errorf("slot 0 holds %q, slot 1 %q", first, second)
	}
}

func TestFaultsOfWrites(t *testing.T) {
	for name, c := range map[string]struct {
		faults  simblob.Faults
		outcome blob.Outcome
		err     error
		there   bool
	}{
		"refused":      {simblob.Faults{Refuse: sim.Always}, blob.Unknown, blob.ErrUnavailable, false},
		"error before": {simblob.Faults{ErrorBefore: sim.Always}, blob.Unknown, blob.ErrUnknown, false},
		"error after":  {simblob.Faults{ErrorAfter: sim.Always}, blob.Unknown, blob.ErrUnknown, true},
		"lost before":  {simblob.Faults{LoseBefore: sim.Always}, blob.Unknown, blob.ErrUnknown, false},
		"lost after":   {simblob.Faults{LoseAfter: sim.Always}, blob.Unknown, blob.ErrUnknown, true},
		"repeated":     {simblob.Faults{Repeat: sim.Always}, blob.Exists, nil, true},
		"none":         {simblob.Faults{}, blob.Created, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, 1)
			f.store.SetFaults(c.faults)
			f.do(func(ctx context.Context) {
				outcome, err := f.store.Client(f.world.Driver()).PutIfAbsent(ctx, "k", []byte("x"))
				if outcome != c.outcome || !errors.Is(err, c.err) {
					t.Errorf("%v, %v", outcome, err)
				}
			})
			if _, there := f.store.Peek("k"); there != c.there {
				t.Errorf("there: %v", there)
			}
		})
	}
}

func TestConflictOfRacingCreates(t *testing.T) {
	f := newFixture(t, 1)
	f.store.SetFaults(simblob.Faults{Conflict: sim.Always})
	p := f.world.Process("a1")
	unknown, created, exists := 0, 0, 0
	for range 3 {
		p.Go("put", func(ctx context.Context) {
			switch outcome, _ := f.store.Client(p).PutIfAbsent(ctx, "k", nil); outcome {
			case blob.Created:
				created++
			case blob.Exists:
				exists++
			case blob.Unknown:
				unknown++
			}
		})
	}
	f.run(time.Minute)
	if created > 1 || unknown == 0 || created+exists+unknown != 3 {
		t.Errorf("created %d, exists %d, unknown %d", created, exists, unknown)
	}
}

func TestFlippedBitsAndDamage(t *testing.T) {
	f := newFixture(t, 1)
	s := f.store.Client(f.world.Driver())
	data := []byte("some bytes")
	f.do(func(ctx context.Context) {
		_, _ = s.PutIfAbsent(ctx, "k", data)
		f.store.SetFaults(simblob.Faults{FlipBits: sim.Always})
		if got, err := s.Get(ctx, "k", blob.All()); err != nil || bytes.Equal(got, data) {
			t.Errorf("got %q, %v", got, err)
		}
		f.store.SetFaults(simblob.Faults{})
		if got, err := s.Get(ctx, "k", blob.All()); err != nil || !bytes.Equal(got, data) {
			t.Errorf("got %q, %v", got, err)
		}
		if !f.store.Damage("k", 9) {
			t.Error("not damaged")
		}
		if got, err := s.Get(ctx, "k", blob.Span(1, 1)); err != nil || got[0] != 'o'^2 {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

func TestDarkStore(t *testing.T) {
	f := newFixture(t, 1)
	f.store.SetDark(true)
	s := f.store.Client(f.world.Driver())
	f.do(func(ctx context.Context) {
		for range 10 {
			if outcome, err := s.PutIfAbsent(ctx, "k", nil); outcome != blob.Unknown || err == nil {
				t.Errorf("%v, %v", outcome, err)
			}
		}
		if _, err := s.Get(ctx, "k", blob.All()); !errors.Is(err, blob.ErrUnavailable) {
			t.Errorf("get: %v", err)
		}
	})
	if f.store.Len() != 0 {
		t.Error("a dark store took a write")
	}
	f.store.SetDark(false)
	f.do(func(ctx context.Context) {
		if outcome, err := s.PutIfAbsent(ctx, "k", nil); outcome != blob.Created || err != nil {
			t.Errorf("%v, %v", outcome, err)
		}
	})
}
