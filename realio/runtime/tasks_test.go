package runtime_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/io/run"
	"github.com/novastream/nova/realio/runtime"
)

// budget is more than any stop in a test takes.
const budget = time.Minute

func TestStopEndsTasks(t *testing.T) {
	r := runtime.New(runtime.Config{})
	ended := 0
	for range 10 {
		r.Go("sleeper", func(ctx context.Context) {
			if err := r.Sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
				t.Errorf("sleep ended with %v", err)
			}
			ended++
		})
	}
	if err := r.Stop(budget); err != nil {
		t.Fatal(err)
	}
	if ended != 10 {
		t.Errorf("%d of 10 tasks had ended when Stop returned", ended)
	}
	if err := r.Do(t.Context(), "late", func(context.Context) { t.Error("a call entered a stopped process") }); !errors.Is(err, runtime.ErrStopped) {
		t.Errorf("call after stop: %v", err)
	}
	if err := r.Stop(budget); err != nil {
		t.Errorf("second stop: %v", err)
	}
}

func TestStopNamesWhatStays(t *testing.T) {
	r := runtime.New(runtime.Config{})
	release := make(chan struct{})
	for _, name := range []string{"stubborn", "absorb", "stubborn"} {
		r.Go(name, func(ctx context.Context) { r.Offload(ctx, func() { <-release }) })
	}
	err := r.Stop(time.Millisecond)
	var stop *runtime.StopError
	if !errors.As(err, &stop) || !slices.Equal(stop.Tasks, []string{"absorb", "stubborn"}) {
		t.Fatalf("stop with tasks that do not end: %v", err)
	}
	close(release)
	if err := r.Stop(budget); err != nil {
		t.Fatal(err)
	}
}

func TestPanicEndsTheProcess(t *testing.T) {
	var crashes []runtime.Crash
	var log strings.Builder
	r := runtime.New(runtime.Config{
		Log:   slog.New(slog.NewTextHandler(&log, nil)),
		Crash: func(c runtime.Crash) { crashes = append(crashes, c) },
	})
	r.Go("absorb", func(context.Context) { run.Broken("cut %d below checkpoint %d", 3, 5) })
	r.Go("reader", func(ctx context.Context) { r.Offload(ctx, func() { panic("in pure work") }) })
	if err := r.Do(t.Context(), "caller", func(context.Context) { panic("in a call") }); err != nil {
		t.Fatal(err)
	}
	if err := r.Stop(budget); err != nil {
		t.Fatal(err)
	}
	if len(crashes) != 3 {
		t.Fatalf("3 tasks panicked, the handler heard of %d", len(crashes))
	}
	for _, c := range crashes {
		broken, ok := c.Value.(*run.InvariantError)
		if ok != (c.Task == "absorb") || len(c.Stack) == 0 {
			t.Errorf("crash of %s: %v", c.Task, c.Value)
		}
		if ok && (broken.Text != "cut 3 below checkpoint 5" || !strings.Contains(string(c.Stack), "TestPanicEndsTheProcess")) {
			t.Errorf("crash of %s: %v\n%s", c.Task, broken, c.Stack)
		}
	}
	if !strings.Contains(log.String(), "broken invariant: cut 3 below checkpoint 5") {
		t.Errorf("log does not tell of the panic: %s", log.String())
	}
}

// While a crash is handled nothing else of the process runs.
func TestCrashKeepsTheBaton(t *testing.T) {
	entered := make(chan struct{})
	var r *runtime.Runtime
	r = runtime.New(runtime.Config{
		Log: slog.New(slog.DiscardHandler),
		Crash: func(runtime.Crash) {
			go func() {
				_ = r.Do(context.Background(), "late", func(context.Context) {})
				close(entered)
			}()
			select {
			case <-entered:
				t.Error("a task ran while the process crashed")
			case <-time.After(10 * time.Millisecond): // a moment in which nothing may happen
			}
		},
	})
	_ = r.Do(t.Context(), "broken", func(context.Context) { run.Broken("broken") })
	<-entered
}

func TestNoteLevels(t *testing.T) {
	var log strings.Builder
	r := runtime.New(runtime.Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
	r.Note("took over", "stream", "7f3")
	r.Note("absorb failed", "err", errors.New("no space"))
	r.Note("record lost", "seq", 7)
	for _, want := range []string{`level=INFO msg="took over" stream=7f3`, `level=WARN msg="absorb failed" err="no space"`, `level=ERROR msg="record lost" seq=7`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("log lacks %q:\n%s", want, log.String())
		}
	}
}
