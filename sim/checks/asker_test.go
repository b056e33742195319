package checks

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/workload"
)

// healed is a fleet that nothing was done to, with the streams of a workload that never starts.
func healed(t *testing.T) (*fleets.Fleet, *Asker) {
	t.Helper()
	w := sim.New(sim.Config{Seed: 3})
	t.Cleanup(w.Close)
	f := fleets.New(w, fleets.Config{Stars: 2})
	o := Observe(f)
	work := workload.New(f, workload.Config{Clients: 1, Streams: 2, Record: &history.Log{}})
	f.Start()
	pass(t, w, 10*time.Second)
	work.Setup()
	if err := w.RunUntil(time.Minute, work.Ready); err != nil {
		t.Fatal(err)
	}
	return f, NewAsker(o, work.Journal(), work.Streams())
}

func pass(t *testing.T, w *sim.World, d time.Duration) {
	t.Helper()
	if err := w.RunFor(d); err != nil {
		t.Fatal(err)
	}
}

// wants fails unless the asker found what the check is there for, and nothing else; an empty check is nothing at all.
func wants(t *testing.T, a *Asker, err error, check, sentence string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if check == "" && len(a.Violations()) > 0 {
		t.Errorf("a fleet without fault has %v", a.Violations())
	}
	for _, v := range a.Violations() {
		if v.Check != check || !strings.Contains(v.Sentence, sentence) {
			t.Errorf("%s: %s", v.Check, v.Sentence)
		}
	}
	if check != "" && len(a.Violations()) == 0 {
		t.Errorf("%s finds nothing", check)
	}
}

// TestHealedFleetPasses is what the other tests here break.
func TestHealedFleetPasses(t *testing.T) {
	_, a := healed(t)
	for _, step := range []func() error{a.Live, a.Converge, func() error { return a.Quiet(time.Minute) }} {
		wants(t, a, step(), "", "")
	}
}

// TestLiveFindsStreamsWithoutProgress: all stores stay dark.
func TestLiveFindsStreamsWithoutProgress(t *testing.T) {
	f, a := healed(t)
	for _, store := range f.Stores() {
		store.SetDark(true)
	}
	wants(t, a, a.Live(), "live", "is not served within")
}

// TestLiveCoreFindsABrokenCore: the only star of the core does not reach the metastore.
func TestLiveCoreFindsABrokenCore(t *testing.T) {
	f, a := healed(t)
	f.Stars[1].Crash()
	f.Net.Isolate(f.Stars[0].Name)
	wants(t, a, a.LiveCore("star-1; star-2 is dead", 1), "live-core", "by a core that is enough: star-1; star-2 is dead")
}

// TestConvergeFindsWhoNeverRests: a client keeps a stream led.
func TestConvergeFindsWhoNeverRests(t *testing.T) {
	f, a := healed(t)
	a.process.Go("stays", func(ctx context.Context) {
		s := a.streams[0]
		for {
			_ = a.live(ctx, s)
			if a.process.Sleep(ctx, 10*time.Second) != nil {
				return
			}
		}
	})
	pass(t, f.World, 5*time.Second)
	wants(t, a, a.Converge(), "converge", "after the last producer left")
}

// TestQuietFindsWhoMoves: somebody writes into a fleet at rest.
func TestQuietFindsWhoMoves(t *testing.T) {
	f, a := healed(t)
	wants(t, a, a.Converge(), "", "")
	p := f.World.Process("restless")
	p.Go("writes", func(ctx context.Context) {
		_ = p.Sleep(ctx, 10*time.Second)
		_, _ = f.Meta.Spaces(p).Records.Put(ctx, "cluster/restless", []byte("x"), meta.Absent())
	})
	wants(t, a, a.Quiet(time.Minute), "quiet", "1 writes were made: row cluster/restless by restless")
}
