package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/novastream/nova/sim/script"
)

// Config is what a World is made from. The zero value is a silent world of seed 0.
type Config struct {
	// Seed is the root of all chance in the world.
	Seed uint64
	// Start is the wall clock of a process without skew at the beginning of the run. Zero is a fixed day.
	Start time.Time
	// Trace is told every event of the run, for people to read. Nil: none is composed.
	Trace Tracer
	// OffloadCost bounds the virtual time that one Offload takes; the cost is drawn below it. Zero is 200µs.
	OffloadCost time.Duration
	// Strategy is how the scheduler chooses among tasks that can run.
	Strategy Strategy
	// Script is what is to happen, where chance is not to decide it; nil leaves all to chance.
	Script *script.Script
	// Acts is told every act that happens; nil: nobody.
	Acts func(script.Act)
	// MaxStepsAtOnce bounds the scheduler steps at one instant: beyond it the run fails as a livelock. Zero is 5,000,000.
	MaxStepsAtOnce int
}

// World is one simulated world. It is used from one goroutine at a time.
type World struct {
	cfg   Config
	now   int64 // nanoseconds since the start
	steps uint64
	hash  uint64

	timers  timerQueue
	ready   []*Task
	choice  pcg      // who runs next
	chooser *chooser // and in which manner; nil: by equal chances
	cpu     pcg      // how long computing takes
	enters  int      // io calls since the last step
	current *Task
	free    []*coroutine

	processes []*Process // alive ones, in order of birth
	boots     map[string]int
	taskIDs   uint64
	atOnce    int

	driver  *Process
	failure *FailureError
	closed  bool

	judge    func(Effect) Fate
	reads    func(Effect)
	effects  map[string]uint64
	held     []func()
	onStep   []func(p *Process, name string)
	onNote   []func(p *Process, what string, kv []any)
	causal   CausalTracer // the tracer, where it asks for causes
	events   uint64       // traced so far, where it does
	cause    uint64       // the traced event that what fires now stems from
	acting   string       // the last named step of who sent the request that is being carried out
	counters Counters
	acts     acts
	choices  uint64
}

// New makes a world. Close it when done.
func New(cfg Config) *World {
	if cfg.Start.IsZero() {
		cfg.Start = time.Date(2031, 4, 1, 9, 0, 0, 0, time.UTC)
	}
	if cfg.OffloadCost == 0 {
		cfg.OffloadCost = 200 * time.Microsecond
	}
	if cfg.MaxStepsAtOnce == 0 {
		cfg.MaxStepsAtOnce = 5_000_000
	}
	w := &World{cfg: cfg, boots: map[string]int{}, effects: map[string]uint64{}, counters: newCounters(), acts: newActs(&cfg)}
	w.causal, _ = cfg.Trace.(CausalTracer)
	w.choice.seed(w.diceSeed("schedule"))
	w.chooser = newChooser(w, cfg.Strategy)
	w.cpu.seed(w.diceSeed("cpu"))
	w.driver = w.Process("driver")
	return w
}

// Seed is the root seed.
func (w *World) Seed() uint64 { return w.cfg.Seed }

// Now is the virtual time since the start of the run. No process sees it.
func (w *World) Now() time.Duration { return time.Duration(w.now) }

// Wall is the virtual time as a perfect wall clock would show it.
func (w *World) Wall() time.Time { return w.cfg.Start.Add(time.Duration(w.now)) }

// Steps counts scheduler steps: tasks resumed and events fired.
func (w *World) Steps() uint64 { return w.steps }

// Driver is the process of the tasks that drive the world: tests, workloads, fault plans. It is no star, has perfect clocks
// and never dies.
func (w *World) Driver() *Process { return w.driver }

// At runs fn as an event at that virtual time, or now where it is past. fn must not wait.
func (w *World) At(at time.Duration, fn func()) {
	w.timers.add(max(int64(at), w.now), callback(w.bearing(fn)), 0)
}

// After runs fn as an event after d. fn must not wait.
func (w *World) After(d time.Duration, fn func()) { w.At(w.Now()+d, fn) }

// AfterEvent is After without a closure: ev.Fire(arg) is called.
func (w *World) AfterEvent(d time.Duration, ev Event, arg uint32) TimerID {
	return w.timers.add(w.now+max(int64(d), 0), ev, arg)
}

// Cancel takes back an event that has not fired. Cancelling one that has is no error.
func (w *World) Cancel(id TimerID) { w.timers.remove(id) }

// StuckError says that a run did not come to where its driver wanted it.
type StuckError struct {
	At      time.Duration
	Idle    bool // nothing was runnable and nothing timed: a deadlock; otherwise the limit was reached
	Waiting []Waiting
}

func (e *StuckError) Error() string {
	why := "the limit was reached"
	if e.Idle {
		why = "nothing can happen any more"
	}
	text := fmt.Sprintf("sim: stuck at %v: %s; %d tasks wait", e.At, why, len(e.Waiting))
	for _, t := range e.Waiting {
		text += "\n  " + t.String()
	}
	return text
}

// RunFor lets d of virtual time pass. It returns the run's failure.
func (w *World) RunFor(d time.Duration) error {
	w.fromOutside()
	end := w.now + int64(d)
	for {
		if w.failure != nil {
			return w.failure
		}
		if len(w.ready) == 0 && w.timers.next() > end {
			w.now = max(w.now, end)
			return nil
		}
		w.step()
	}
}

// RunUntil runs until done says so, looked at after every step, for at most limit of virtual time. It returns the run's
// failure, or a *StuckError naming who waits for what.
func (w *World) RunUntil(limit time.Duration, done func() bool) error {
	w.fromOutside()
	end := w.now + int64(limit)
	for !done() {
		if w.failure != nil {
			return w.failure
		}
		if len(w.ready) == 0 && w.timers.next() > end {
			stuck := &StuckError{Idle: w.timers.len() == 0, Waiting: w.Waiting()}
			w.now = max(w.now, end)
			stuck.At = w.Now()
			return stuck
		}
		w.step()
	}
	if w.failure != nil {
		return w.failure
	}
	return nil
}

// Do runs fn as a task of the driver until it returns, for at most limit of virtual time. Everything else goes on
// meanwhile. It returns as RunUntil does.
func (w *World) Do(limit time.Duration, fn func(ctx context.Context)) error {
	finished := false
	w.driver.Go("do", func(ctx context.Context) {
		fn(ctx)
		finished = true
	})
	return w.RunUntil(limit, func() bool { return finished })
}

// Step takes one scheduler step and says whether there was one to take.
func (w *World) Step() bool {
	w.fromOutside()
	if w.failure != nil || (len(w.ready) == 0 && w.timers.len() == 0) {
		return false
	}
	w.step()
	return true
}

func (w *World) fromOutside() {
	if w.current != nil {
		panic("sim: a task cannot run the world that it lives in")
	}
}

// Close kills what is still alive and gives back every coroutine. The world is not used after it.
func (w *World) Close() {
	if w.closed {
		return
	}
	w.closed, w.current = true, nil // a task that ran into runtime.Goexit left current behind
	for len(w.processes) > 0 {
		w.processes[len(w.processes)-1].Kill()
	}
	for _, c := range w.free {
		c.stop()
	}
	w.free = nil
}
