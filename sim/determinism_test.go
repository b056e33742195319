package sim

import (
	"context"
	"runtime"
	"testing"
	"time"
)

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
	wantGoroutines(t, before)
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
	wantGoroutines(t, before)
}

// wantGoroutines wants no more goroutines than these, once those that are ending have ended.
func wantGoroutines(t *testing.T, most int) {
	t.Helper()
	for range 100_000 {
		if runtime.NumGoroutine() <= most {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d goroutines, want %d", runtime.NumGoroutine(), most)
}
