package runtime

import (
	"context"
	crand "crypto/rand"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	goruntime "runtime"
	"time"

	"github.com/novastream/nova/io/run"
)

// Config is what a runtime needs. The zero value serves.
type Config struct {
	// Log gets the notes of the process; slog.Default() where nil.
	Log *slog.Logger
	// Crash ends the process after a task panicked; it is called with the baton held and must not return. Where nil,
	// os.Exit(2). Only tests give one that returns: the task then ends and the baton goes on.
	Crash func(c Crash)
}

// Crash tells of a panic in a task.
type Crash struct {
	Task  string
	Value any // what was given to panic; *run.InvariantError for a broken rule
	Stack []byte
}

// Runtime is the process of one star. Its tasks alone may use it, but for Go, Do, Stop, the clocks, the contexts and the
// stars that Serve wraps, which any goroutine may.
type Runtime struct {
	baton  baton
	log    *slog.Logger
	crash  func(Crash)
	start  time.Time
	root   context.Context
	cancel context.CancelFunc
	rand   *rand.Rand
	tasks  tasks
}

var _ run.Runtime = (*Runtime)(nil)

// New makes a runtime without tasks. Nothing runs until Do or Go.
func New(cfg Config) *Runtime {
	r := &Runtime{log: cfg.Log, crash: cfg.Crash, start: time.Now()}
	if r.log == nil {
		r.log = slog.Default()
	}
	if r.crash == nil {
		r.crash = func(Crash) { os.Exit(2) }
	}
	r.root, r.cancel = context.WithCancel(context.Background())
	var seed [32]byte
	_, _ = crand.Read(seed[:]) // never fails: crypto/rand ends the program instead
	r.rand = rand.New(rand.NewChaCha8(seed))
	r.tasks.init()
	return r
}

// Now is the wall clock.
func (r *Runtime) Now() time.Time { return time.Now() }

// Elapsed is the time since New, on the monotonic clock.
func (r *Runtime) Elapsed() time.Duration { return time.Since(r.start) }

// Context is the root context: it ends when Stop is called.
func (r *Runtime) Context() context.Context { return r.root }

// WithCancel is context.WithCancel.
func (r *Runtime) WithCancel(parent context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(parent)
}

// WithTimeout is context.WithTimeout, which runs on the monotonic clock.
func (r *Runtime) WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(parent, d)
}

// Sleep waits for d or until ctx ends. A d of nothing lets the other goroutines of the process go first.
func (r *Runtime) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.baton.leave()
	defer r.baton.enter()
	if d <= 0 {
		goruntime.Gosched()
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Offload runs fn on the caller's goroutine without the baton.
func (r *Runtime) Offload(_ context.Context, fn func()) {
	r.baton.leave()
	defer r.baton.enter()
	fn()
}

// Rand is seeded by the operating system.
func (r *Runtime) Rand() *rand.Rand { return r.rand }

// Step does nothing: it names crash points for the simulator.
func (r *Runtime) Step(context.Context, string) {}

// Note logs. Notes that carry an error are warnings; those of what must never be are errors.
func (r *Runtime) Note(what string, kv ...any) {
	level := slog.LevelInfo
	for _, v := range kv {
		if err, ok := v.(error); ok && err != nil && !errors.Is(err, context.Canceled) {
			level = slog.LevelWarn
		}
	}
	if run.Alarm(what) {
		level = slog.LevelError
	}
	r.log.Log(r.root, level, what, kv...)
}
