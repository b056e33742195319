package simmeta_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
)

type fixture struct {
	*testing.T
	world *sim.World
	net   *simnet.Network
	store *simmeta.Store
}

func newFixture(t *testing.T, seed uint64) *fixture {
	w := sim.New(sim.Config{Seed: seed})
	t.Cleanup(w.Close)
	net := simnet.New(w, simnet.Config{})
	return &fixture{t, w, net, simmeta.New(net, simmeta.Config{})}
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

func TestEphemeralRowsLiveWithTheirProcess(t *testing.T) {
	f := newFixture(t, 1)
	p := f.world.Process("a1")
	eph := f.store.Spaces(p).Ephemeral
	var again error
	p.Go("lease", func(ctx context.Context) {
		_, err := eph.PutEphemeral(ctx, "cluster/stars/a1", []byte("x"), meta.Absent())
		if err != nil {
			t.Error(err)
		}
		_ = p.Sleep(ctx, 5*time.Minute)
		_, again = eph.PutEphemeral(ctx, "cluster/stars/a1", []byte("y"), meta.Absent())
	})
	f.run(2 * time.Minute)
	if f.store.Len(simmeta.Ephemeral) != 1 {
		t.Fatal("a session of a living process ended")
	}
	p.Pause()
	f.run(4 * time.Second) // one keep-alive is missed
	p.Resume()
	f.run(time.Minute)
	if f.store.Len(simmeta.Ephemeral) != 1 {
		t.Fatal("a short pause ended the session")
	}
	p.Pause()
	f.run(21 * time.Second)
	if f.store.Len(simmeta.Ephemeral) != 0 {
		t.Fatal("the session of a zombie goes on")
	}
	p.Resume()
	f.run(5 * time.Minute)
	if !errors.Is(again, meta.ErrSessionExpired) {
		t.Errorf("a put of the zombie: %v", again)
	}
	p.Go("again", func(ctx context.Context) { _, again = eph.PutEphemeral(ctx, "cluster/stars/a1", nil, meta.Absent()) })
	f.run(time.Second)
	if again != nil || f.store.Len(simmeta.Ephemeral) != 1 {
		t.Errorf("the put after that: %v", again)
	}
	p.Kill()
	f.run(16 * time.Second)
	if f.store.Len(simmeta.Ephemeral) != 0 || len(f.store.Sessions()) != 0 {
		t.Error("the session of a dead process goes on")
	}
}

func TestSpuriousExpiryAndOutliving(t *testing.T) {
	f := newFixture(t, 1)
	p := f.world.Process("a1")
	eph := f.store.Spaces(p).Ephemeral
	p.Go("lease", func(ctx context.Context) { _, _ = eph.PutEphemeral(ctx, "cluster/stars/a1", nil, meta.Absent()) })
	f.run(time.Second)
	f.store.SetFaults(simmeta.Faults{Outlive: sim.Always, OutliveUpto: time.Minute})
	if !f.store.ExpireSession("a1") || f.store.Len(simmeta.Ephemeral) != 1 {
		t.Fatal("the row did not outlive its session")
	}
	f.run(time.Minute)
	if f.store.Len(simmeta.Ephemeral) != 0 {
		t.Error("the row outlives its session for ever")
	}
}

func TestLateWriteLandsAfterItsSenderDied(t *testing.T) {
	f := newFixture(t, 1)
	p := f.world.Process("a1")
	rec := f.store.Spaces(p).Records
	f.store.SetFaults(simmeta.Faults{Late: sim.Always, LateUpto: 10 * time.Minute})
	var outcome error
	p.Go("put", func(ctx context.Context) { _, outcome = rec.Put(ctx, "chains/a1", []byte("v"), meta.Absent()) })
	f.run(3 * time.Second)
	if !errors.Is(outcome, meta.ErrUnknown) {
		t.Fatalf("outcome %v", outcome)
	}
	p.Kill()
	f.run(10 * time.Minute)
	if _, ok := f.store.Peek(simmeta.Records, "chains/a1"); !ok {
		t.Error("it never landed")
	}
}

func TestStaleReadsAreEarlierStatesAndFreshReadsAreNot(t *testing.T) {
	f := newFixture(t, 1)
	f.store.SetFaults(simmeta.Faults{StaleReads: 500_000, StaleUpto: 5 * time.Second})
	rec := f.store.Spaces(f.world.Driver()).Records.Within("streams/s")
	f.do(func(ctx context.Context) {
		version := meta.Version(0)
		expect := meta.Absent()
		stale := 0
		for i := range 50 {
			v, err := rec.Put(ctx, "streams/s/writer", []byte{byte(i)}, expect)
			if err != nil {
				t.Fatal(err)
			}
			version, expect = v, meta.At(v)
			_ = f.world.Driver().Sleep(ctx, 100*time.Millisecond)
			if r, err := rec.Get(ctx, "streams/s/writer"); err != nil || r.Version != version {
				stale++
			}
			if r, err := rec.Fresh().Get(ctx, "streams/s/writer"); err != nil || r.Version != version {
				t.Fatalf("a fresh read gave %v, %v", r, err)
			}
		}
		if stale < 10 || stale > 40 {
			t.Errorf("%d of 50 reads were stale", stale)
		}
	})
}

func TestPartitionMakesReadsUnavailableAndWritesUnknown(t *testing.T) {
	f := newFixture(t, 3)
	p := f.world.Process("a1")
	rec := f.store.Spaces(p).Records
	f.net.Cut(simmeta.Endpoint, "a1") // the answers are lost
	var put, get error
	p.Go("calls", func(ctx context.Context) {
		_, put = rec.Put(ctx, "k", nil, meta.Absent())
		_, get = rec.Get(ctx, "k")
	})
	f.run(time.Minute)
	if !errors.Is(put, meta.ErrUnknown) || !errors.Is(get, meta.ErrUnavailable) {
		t.Errorf("put %v, get %v", put, get)
	}
	if f.store.Len(simmeta.Records) != 1 {
		t.Error("the put did not happen")
	}
}

func TestContextEndsWhileInFlight(t *testing.T) {
	f := newFixture(t, 1)
	p := f.world.Driver()
	rec := f.store.Spaces(p).Records
	f.do(func(ctx context.Context) {
		short, cancel := p.WithTimeout(ctx, 100*time.Microsecond)
		defer cancel()
		_, err := rec.Put(short, "k", nil, meta.Absent())
		if !errors.Is(err, meta.ErrUnknown) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("put: %v", err)
		}
		if _, err := rec.Get(short, "k"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("get: %v", err)
		}
		_ = p.Sleep(ctx, time.Second)
		if _, err := rec.Get(ctx, "k"); err != nil {
			t.Errorf("the put in flight did not land: %v", err)
		}
	})
}

func TestOnWriteTellsEveryChange(t *testing.T) {
	f := newFixture(t, 1)
	var seen []simmeta.Write
	f.store.OnWrite(func(w simmeta.Write) { seen = append(seen, w) })
	rec := f.store.Spaces(f.world.Driver()).Records
	f.do(func(ctx context.Context) {
		v, _ := rec.Put(ctx, "k", []byte("1"), meta.Absent())
		_, _ = rec.Put(ctx, "k", []byte("2"), meta.Absent())
		_ = rec.Delete(ctx, "k", meta.At(v))
	})
	if len(seen) != 2 || seen[0].Old != nil || string(seen[1].Old.Value) != "1" || seen[1].New != nil || seen[1].By != "driver" {
		t.Errorf("seen %+v", seen)
	}
}
