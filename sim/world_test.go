package sim

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/io/run"
)

func newWorld(t testing.TB, seed uint64) *World {
	w := New(Config{Seed: seed})
	t.Cleanup(w.Close)
	return w
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSleepTakesVirtualTimeOnly(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	var woke []time.Duration
	for _, d := range []time.Duration{3 * time.Hour, time.Hour, 2 * time.Hour} {
		p.Go("sleeper", func(ctx context.Context) {
			if err := p.Sleep(ctx, d); err == nil {
				woke = append(woke, w.Now())
			}
		})
	}
	must(t, w.RunFor(4*time.Hour))
	if want := []time.Duration{time.Hour, 2 * time.Hour, 3 * time.Hour}; !slices.Equal(woke, want) {
		t.Errorf("woke at %v, want %v", woke, want)
	}
	if w.Now() != 4*time.Hour {
		t.Errorf("the run ended at %v", w.Now())
	}
}

func TestSignalWakesAllWaitersAndContextsEndWaits(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	s := p.NewSignal()
	var got []error
	wait := func(ctx context.Context) { got = append(got, s.Wait(ctx)) }
	p.Go("one", wait)
	p.Go("two", wait)
	p.Go("three", func(ctx context.Context) {
		ctx, cancel := p.WithTimeout(ctx, time.Second)
		defer cancel()
		wait(ctx)
	})
	must(t, w.RunFor(2*time.Second))
	if len(got) != 1 || !errors.Is(got[0], context.DeadlineExceeded) {
		t.Fatalf("after the time-out: %v", got)
	}
	s.Broadcast()
	must(t, w.RunFor(0))
	if len(got) != 3 || got[1] != nil || got[2] != nil {
		t.Errorf("after the broadcast: %v", got)
	}
}

type testKey struct{}

func TestContextsPropagate(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	parent, cancelParent := p.WithCancel(p.Context())
	child, cancelChild := p.WithTimeout(parent, time.Hour)
	free, cancelFree := p.WithCancel(context.Background())
	defer cancelFree()
	if limit, ok := child.Deadline(); !ok || limit.Sub(p.Now()) != time.Hour {
		t.Errorf("deadline %v, %v", limit, ok)
	}
	cancelParent()
	if child.Err() != context.Canceled || parent.Err() != context.Canceled || free.Err() != nil || p.Context().Err() != nil {
		t.Errorf("child %v, parent %v, free %v, root %v", child.Err(), parent.Err(), free.Err(), p.Context().Err())
	}
	<-child.Done()
	cancelChild()
	if w.timers.len() != 0 {
		t.Errorf("%d timers are left", w.timers.len())
	}
	wrapped := context.WithValue(free, testKey{}, "v")
	below, cancelBelow := p.WithCancel(wrapped)
	defer cancelBelow()
	cancelFree()
	if below.Err() == nil || below.Value(testKey{}) != "v" {
		t.Errorf("a child of a wrapped context: %v, %v", below.Err(), below.Value(testKey{}))
	}
}

func TestKillUnwindsWithoutEffect(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	s := p.NewSignal()
	deferred, after := 0, 0
	for range 3 {
		p.Go("waiter", func(ctx context.Context) {
			defer func() {
				deferred++
				_ = p.Sleep(context.Background(), time.Second)
				after++
			}()
			_ = s.Wait(ctx)
			after++
		})
	}
	must(t, w.RunFor(0))
	died := false
	p.OnDeath(func() { died = true })
	p.Go("never begins", func(context.Context) { after++ })
	p.Kill()
	must(t, w.RunFor(time.Hour))
	if deferred != 3 || after != 0 || !died || p.Tasks() != 0 {
		t.Errorf("deferred %d, after %d, died %v, tasks %d", deferred, after, died, p.Tasks())
	}
	if again := w.Process("a1"); again.Boot() != 2 {
		t.Errorf("boot %d", again.Boot())
	}
}

func TestStepHookKillsRightThere(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	w.OnStep(func(p *Process, name string) {
		if name == "mint.row" {
			p.Kill()
		}
	})
	passed, other := "", false
	p.Go("other", func(ctx context.Context) { other = p.Sleep(ctx, time.Second) == nil })
	p.Go("mint", func(ctx context.Context) {
		for _, step := range []string{"mint.counter", "mint.row", "mint.done"} {
			p.Step(ctx, step)
			passed += step + " "
		}
	})
	must(t, w.RunFor(time.Minute))
	if passed != "mint.counter " || other || p.Alive() {
		t.Errorf("passed %q, other %v, alive %v", passed, other, p.Alive())
	}
	if got := w.Counters().Steps(); len(got) != 2 || got[1] != (Count{"mint.row", 1}) {
		t.Errorf("steps %v", got)
	}
}

func TestPauseHoldsTasksWhileTimePasses(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	var woke []time.Duration
	p.Go("ticker", func(ctx context.Context) {
		for p.Sleep(ctx, time.Second) == nil {
			woke = append(woke, w.Now())
		}
	})
	must(t, w.RunFor(1500*time.Millisecond))
	p.Pause()
	must(t, w.RunFor(time.Minute))
	p.Resume()
	must(t, w.RunFor(time.Second))
	if want := []time.Duration{time.Second, 61500 * time.Millisecond, 62500 * time.Millisecond}; !slices.Equal(woke, want) {
		t.Errorf("woke at %v, want %v", woke, want)
	}
}

func TestSlowProcessTakesTurns(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	p.SetSlow(time.Second)
	ended := 0
	for range 5 {
		p.Go("work", func(context.Context) { ended++ })
	}
	must(t, w.RunFor(2500*time.Millisecond))
	if ended != 3 {
		t.Errorf("%d tasks ran in 2.5 s of 1 s steps", ended)
	}
}

func TestClocksDriftAndJump(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	if !p.Now().Equal(w.Wall()) {
		t.Errorf("an untouched clock shows %v, not %v", p.Now(), w.Wall())
	}
	p.SetDrift(100_000) // a tenth fast
	from := p.Elapsed()
	var real, own time.Duration
	p.Go("sleeper", func(ctx context.Context) {
		if p.Sleep(ctx, 11*time.Second) == nil {
			real, own = w.Now(), p.Elapsed()-from
		}
	})
	must(t, w.RunFor(time.Minute))
	if own < 11*time.Second || own > 11*time.Second+time.Microsecond || real.Round(time.Millisecond) != 10*time.Second {
		t.Errorf("slept %v of its own, %v of the world's", own, real)
	}
	before := p.Now()
	p.JumpWall(-time.Hour)
	if p.Now().Sub(before) != -time.Hour {
		t.Errorf("jumped by %v", p.Now().Sub(before))
	}
}

func TestPanicStopsTheRun(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	p.Go("absorb", func(ctx context.Context) {
		p.Step(ctx, "absorb.row")
		run.Broken("the cut moved from %d to %d", 1, 2)
	})
	err := w.RunFor(time.Hour)
	var f *FailureError
	var broken *run.InvariantError
	if !errors.As(err, &f) || !errors.As(err, &broken) {
		t.Fatalf("got %v", err)
	}
	if f.Process != "a1" || f.Task != "absorb" || f.Step != "absorb.row" || !strings.Contains(f.Stack, "world_test.go") {
		t.Errorf("got %+v", f)
	}
	if w.Step() {
		t.Error("the run goes on")
	}
}

func TestStuckNamesWhoWaits(t *testing.T) {
	w := newWorld(t, 1)
	p := w.Process("a1")
	s := p.NewSignal()
	p.Go("waiter", func(ctx context.Context) { _ = s.Wait(ctx) })
	err := w.Do(time.Hour, func(ctx context.Context) { _ = s.Wait(ctx) })
	var stuck *StuckError
	if !errors.As(err, &stuck) || !stuck.Idle || len(stuck.Waiting) != 2 || stuck.Waiting[1].Task != "waiter" || stuck.Waiting[1].On != "signal" {
		t.Fatalf("got %v", err)
	}
	if text := w.Stacks(); !strings.Contains(text, "TestStuckNamesWhoWaits.func1") {
		t.Errorf("stacks: %s", text)
	}
	s.Broadcast()
	must(t, w.RunFor(time.Second))
	if p.Tasks() != 0 {
		t.Error("a task that was asked where it stands no longer wakes")
	}
}

func TestIOCallOutsideOfATaskPanics(t *testing.T) {
	w := newWorld(t, 1)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	_ = w.Driver().Sleep(context.Background(), time.Second)
}

// chatter is a run with much choice: tasks that sleep, signal and spawn by chance.
func chatter(seed uint64, tracer Tracer) (hash, steps uint64) {
	w := New(Config{Seed: seed, Trace: tracer})
	defer w.Close()
	for _, name := range []string{"a1", "a2", "a3"} {
		p := w.Process(name)
		s := p.NewSignal()
		for range 10 {
			p.Go("talk", func(ctx context.Context) {
				for i := 0; p.Sleep(ctx, time.Duration(p.Rand().IntN(50))*time.Millisecond) == nil; i++ {
					p.Note("talk", "i", i)
					if p.Rand().IntN(3) == 0 {
						s.Broadcast()
						continue
					}
					c, cancel := p.WithTimeout(ctx, time.Second)
					_ = s.Wait(c)
					cancel()
					p.Offload(ctx, func() {})
				}
			})
		}
		w.After(7*time.Second, p.Kill)
	}
	if err := w.RunFor(10 * time.Second); err != nil {
		panic(err)
	}
	return w.Hash(), w.Steps()
}

func TestOneSeedOneRun(t *testing.T) {
	hash, steps := chatter(7, nil)
	for _, procs := range []int{1, 2} {
		before := runtime.GOMAXPROCS(procs)
		ring := NewRing(10)
		again, stepsAgain := chatter(7, ring)
		runtime.GOMAXPROCS(before)
		if again != hash || stepsAgain != steps {
			t.Errorf("GOMAXPROCS %d: hash %x after %d steps, want %x after %d", procs, again, stepsAgain, hash, steps)
		}
		if len(ring.Lines()) != 10 {
			t.Errorf("ring: %q", ring.Lines())
		}
	}
	if other, _ := chatter(8, nil); other == hash {
		t.Error("another seed gave the same run")
	}
}

func TestNoCoroutineOutlivesItsWorld(t *testing.T) {
	chatter(0, nil)
	before := runtime.NumGoroutine()
	for seed := range uint64(50) {
		chatter(seed, nil)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

func TestTaskThatExitsItsGoroutine(t *testing.T) { // as t.Fatal does
	before := runtime.NumGoroutine()
	w := New(Config{})
	p := w.Process("a1")
	p.Go("waiter", func(ctx context.Context) { _ = p.Sleep(ctx, time.Hour) })
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = w.Do(time.Minute, func(ctx context.Context) {
			_ = p.Sleep(ctx, time.Second)
			runtime.Goexit()
		})
		t.Error("the goroutine goes on")
	}()
	<-done
	w.Close()
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

func TestTasksCannotRunTheirWorld(t *testing.T) {
	w := newWorld(t, 1)
	err := w.Do(time.Minute, func(context.Context) { _ = w.RunFor(time.Second) })
	if err == nil || !strings.Contains(err.Error(), "cannot run the world") {
		t.Errorf("got %v", err)
	}
}

func TestLivelocksAreFound(t *testing.T) {
	w := newWorld(t, 1)
	w.cfg.MaxStepsAtOnce = 1000
	p := w.Process("a1")
	p.Go("spin", func(ctx context.Context) {
		for p.Sleep(ctx, 0) == nil {
		}
	})
	if err := w.RunFor(time.Second); err == nil || !strings.Contains(err.Error(), "livelock") {
		t.Errorf("got %v", err)
	}
	other := newWorld(t, 1)
	q := other.Process("a1")
	q.Go("spin", func(ctx context.Context) {
		ctx, cancel := q.WithCancel(ctx)
		cancel()
		for q.Sleep(ctx, time.Second) != nil {
		}
	})
	if err := other.RunFor(time.Second); err == nil || !strings.Contains(err.Error(), "without giving up the baton") {
		t.Errorf("got %v", err)
	}
}

func TestEventLine(t *testing.T) {
	got := string(AppendEvent(nil, 1500*time.Millisecond, "a1", "open", []any{"stream", "logs/app one", "epoch", 3, "why", ""}))
	if want := `1.500000000 a1 open stream="logs/app one" epoch=3 why=""`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func BenchmarkTaskSwitch(b *testing.B) {
	w := newWorld(b, 1)
	p := w.Process("a1")
	for range 16 {
		p.Go("yield", func(ctx context.Context) {
			for p.Sleep(ctx, 0) == nil {
			}
		})
	}
	w.cfg.MaxStepsAtOnce = 1 << 60
	b.ReportAllocs()
	for b.Loop() {
		w.Step()
	}
}

func BenchmarkSleep(b *testing.B) {
	w := newWorld(b, 1)
	p := w.Process("a1")
	for range 256 {
		p.Go("sleep", func(ctx context.Context) {
			for p.Sleep(ctx, time.Duration(p.Rand().IntN(1e9))) == nil {
			}
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		w.Step()
	}
}

func BenchmarkGoAndTimeout(b *testing.B) {
	w := newWorld(b, 1)
	p := w.Process("a1")
	b.ReportAllocs()
	for b.Loop() {
		p.Go("short", func(ctx context.Context) {
			c, cancel := p.WithTimeout(ctx, time.Hour)
			_ = p.Sleep(c, time.Millisecond)
			cancel()
		})
		_ = w.RunFor(2 * time.Millisecond)
	}
}
