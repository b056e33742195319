package faults_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/faults"
	"github.com/novastream/nova/sim/fleets"
)

// work makes clients append to a stream of each class and read it, whatever they are answered.
func work(f *fleets.Fleet) {
	for i, class := range []peer.Class{peer.ClassStandard, peer.ClassExpress} {
		p, c := f.Client(fmt.Sprint("client-", i+1))
		stream := peer.StreamName{Bucket: "b", Key: fmt.Sprint("s", i)}
		p.Go("work", func(ctx context.Context) {
			for p.Sleep(ctx, time.Second) == nil {
				_, _ = c.CreateBucket(ctx, peer.Bucket{Name: "b"})
				_, _ = c.CreateStream(ctx, peer.CreateStreamRequest{Stream: stream, Class: class})
				if producer, err := c.OpenProducer(ctx, stream, client.ProducerOptions{}); err == nil {
					appendUntil(ctx, p, producer)
				}
				_, _ = c.Tail(ctx, stream)
				_, _ = c.Fetch(ctx, peer.FetchRequest{Stream: stream})
			}
		})
	}
}

// appendUntil appends until an append fails, or long enough.
func appendUntil(ctx context.Context, p *sim.Process, producer *client.Producer) {
	for range 20 {
		ctx, cancel := p.WithTimeout(ctx, 5*time.Second)
		_, err := producer.Append(ctx, peer.Batch{Records: []peer.Record{{Body: []byte("line")}}})
		cancel()
		if err != nil || p.Sleep(ctx, 400*time.Millisecond) != nil {
			break
		}
	}
	_ = producer.Close(ctx)
}

// struck says how often any of the counters moved.
func struck(w *sim.World, counts []string) (times uint64) {
	for _, c := range w.Counters().Faults() {
		if slices.Contains(counts, c.Name) {
			times += c.Times
		}
	}
	return times
}

func all(w *sim.World) (times uint64) {
	for _, c := range w.Counters().Faults() {
		times += c.Times
	}
	return times
}

// race makes two processes create the same objects at once and list them, which stars seldom do.
func race(f *fleets.Fleet) {
	for i := range 2 {
		p := f.World.Process(fmt.Sprint("racer-", i+1))
		store := f.Objects.Client(p)
		p.Go("race", func(ctx context.Context) {
			for n := 0; ; n++ {
				_, _ = store.PutIfAbsent(ctx, fmt.Sprint("race/", n), []byte{byte(i)})
				_, _ = store.List(ctx, "race/", "", 10)
				at := time.Duration(n+1) * time.Second
				if p.Sleep(ctx, at-f.World.Now()) != nil {
					return
				}
			}
		})
	}
}

// companions are what some kinds need to strike within minutes: something else that goes wrong.
func companions(name string) []string {
	if name == "outlive" {
		return []string{"expiry", name}
	}
	return []string{name}
}

// TestEachFaultStrikesAndHeals switches on one kind after the other on a small fleet: it strikes, and after healing nothing
// does any more, and every star serves.
func TestEachFaultStrikesAndHeals(t *testing.T) {
	for _, kind := range faults.All() {
		t.Run(kind.Name, func(t *testing.T) {
			for seed := range uint64(8) {
				if strike(t, seed, kind) {
					return
				}
			}
			t.Error("it did not strike on any of 8 seeds")
		})
	}
}

func strike(t *testing.T, seed uint64, kind faults.Info) bool {
	w := sim.New(sim.Config{Seed: seed})
	defer w.Close()
	f := fleets.New(w, fleets.Config{Stars: 3})
	f.Start()
	run := func(d time.Duration) {
		t.Helper()
		if err := w.RunFor(d); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	run(5 * time.Second)
	work(f)
	race(f)
	plan := faults.Start(f, companions(kind.Name), time.Hour)
	for rounds := 0; rounds < 36 && struck(w, kind.Counts) == 0; rounds++ {
		run(5 * time.Second)
	}
	plan.Heal()
	run(45 * time.Second) // what was under way lands
	after := all(w)
	run(15 * time.Second)
	if n := all(w) - after; n > 0 {
		t.Errorf("seed %d: %d faults struck after healing", seed, n)
	}
	for _, s := range f.Stars {
		if !s.Alive() || s.Serving == nil || s.Process.Paused() {
			t.Errorf("seed %d: %s does not serve after healing", seed, s.Name)
		}
	}
	return struck(w, kind.Counts) > 0
}

// TestSwarm draws other faults on other seeds, the same on the same, and none where none are asked for.
func TestSwarm(t *testing.T) {
	names := func(seed uint64, ask []string) []string {
		w := sim.New(sim.Config{Seed: seed})
		defer w.Close()
		return faults.Start(fleets.New(w, fleets.Config{}), ask, time.Minute).Names()
	}
	drawn := map[string]bool{}
	for seed := range uint64(100) {
		got := names(seed, nil)
		if again := names(seed, nil); !slices.Equal(got, again) || len(got) == 0 {
			t.Fatalf("seed %d draws %v, then %v", seed, got, again)
		}
		for _, name := range got {
			drawn[name] = true
		}
	}
	if all := len(faults.Survivable()); len(drawn) != all {
		t.Errorf("100 seeds draw %d of %d faults", len(drawn), all)
	}
	if got := names(1, []string{}); len(got) != 0 {
		t.Errorf("no faults are asked for, and %v are on", got)
	}
}

func TestUnknownName(t *testing.T) {
	var unknown *faults.UnknownError
	if err := faults.Check([]string{"crash", "cash"}); !errors.As(err, &unknown) || unknown.Name != "cash" {
		t.Errorf("got %v", err)
	}
}

// TestBudget lets all kinds loose and looks that never half of the stars are gone and never two zones are dark.
func TestBudget(t *testing.T) {
	for seed := range uint64(3) {
		w := sim.New(sim.Config{Seed: seed})
		f := fleets.New(w, fleets.Config{Stars: 5})
		f.Start()
		_ = w.RunFor(5 * time.Second)
		plan := faults.Start(f, faults.Survivable(), 5*time.Minute)
		for range 3000 {
			if err := w.RunFor(100 * time.Millisecond); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			gone := 0
			for _, s := range f.Stars {
				if !s.Alive() || s.Process.Paused() {
					gone++
				}
			}
			if gone > max(1, (len(f.Stars)-1)/2) {
				t.Fatalf("seed %d: %d of %d stars are gone at %v", seed, gone, len(f.Stars), w.Now())
			}
			dark := 0
			for _, zone := range f.Zones {
				if f.Net.Severed("driver", zone.Endpoint()) {
					dark++
				}
			}
			if dark > 1 {
				t.Fatalf("seed %d: %d zones are dark at %v", seed, dark, w.Now())
			}
		}
		plan.Heal()
		if all(w) < 50 {
			t.Errorf("seed %d: only %d faults struck", seed, all(w))
		}
		w.Close()
	}
}
