package sim

import (
	"context"
	"errors"
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
	for line := range strings.Lines(f.Stack) {
		if strings.HasPrefix(line, "\t/") {
			t.Errorf("a stack that hangs on where it was built: %s", line)
		}
	}
	if !strings.Contains(f.Stack, "\tsim/world_test.go:") || !strings.Contains(f.Stack, "\truntime/") {
		t.Errorf("the stack is\n%s", f.Stack)
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
	third := newWorld(t, 1)
	r := third.Process("a1")
	r.Go("spin", func(context.Context) {
		for r.Elapsed() < 2*time.Hour {
		}
	})
	if err := third.RunFor(time.Second); err == nil || !strings.Contains(err.Error(), "without giving up the baton") {
		t.Errorf("got %v", err)
	}
}

func TestEventLine(t *testing.T) {
	got := string(AppendEvent(nil, 1500*time.Millisecond, "a1", "open", []any{"stream", "logs/app one", "epoch", 3, "why", ""}))
	if want := `1.500000000 a1 open stream="logs/app one" epoch=3 why=""`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
