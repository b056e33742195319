package sim

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime" //nova:allow import stacks are for people, as is the path of this file; they are not part of the run
	"runtime/debug"
	"strings"
	"time"
)

// FailureError is the reason why a run stopped: a panic of core code, a broken invariant, or what a checker found.
type FailureError struct {
	At      time.Duration
	Process string // empty where no process was running
	Task    string
	Step    string // the last named step of the task
	Cause   any    // the value of the panic, or the checker's error
	Stack   string // of a panic
}

func (f *FailureError) Error() string {
	where := ""
	if f.Process != "" {
		where = fmt.Sprintf(" in %s, task %s", f.Process, f.Task)
	}
	if f.Step != "" {
		where += ", after step " + f.Step
	}
	text := fmt.Sprintf("at %v%s: %v", f.At, where, f.Cause)
	if f.Stack != "" {
		text += "\n" + f.Stack
	}
	return text
}

// Unwrap is the cause, where it is an error.
func (f *FailureError) Unwrap() error {
	err, _ := f.Cause.(error)
	return err
}

// Fail stops the run: checkers call it when they see what must not be. The first failure stays.
func (w *World) Fail(err error) { w.fail(w.current, err, "") }

// Failure is why the run stopped, or nil.
func (w *World) Failure() *FailureError { return w.failure }

func (w *World) failPanic(t *Task, v any) {
	if _, ok := v.(unwinding); ok {
		v = "an io call of a dead process, from a task of a living one"
	}
	w.fail(t, v, Stack())
}

func (w *World) fail(t *Task, cause any, stack string) {
	if w.failure != nil || w.closed {
		return
	}
	f := &FailureError{At: w.Now(), Cause: cause, Stack: stack}
	if t != nil {
		f.Process, f.Task, f.Step = t.process.name, t.name, t.step
	}
	w.failure = f
	w.Emit(f.Process, "failure", "cause", cause)
}

// Stack is where the program stands, without what differs from one run to the next, or from one machine to another: addresses,
// numbers of threads, and where the files were when they were built.
func Stack() string {
	text := threads.ReplaceAll(debug.Stack(), []byte("goroutine"))
	text = arguments.ReplaceAll(text, []byte("(...)"))
	text = offsets.ReplaceAll(text, nil)
	if _, here, _, ok := runtime.Caller(0); ok {
		text = bytes.ReplaceAll(text, []byte("\t"+strings.TrimSuffix(here, "sim/failure.go")), []byte("\t"))
	}
	return string(foreign.ReplaceAll(text, []byte("\t")))
}

var (
	threads   = regexp.MustCompile(`goroutine \d+`)
	arguments = regexp.MustCompile(`(?m)\([^()\n]*0x[^\n]*\)$`)
	offsets   = regexp.MustCompile(`(?m) \+0x[0-9a-f]+$`)
	foreign   = regexp.MustCompile(`(?m)^\t/.*/(?:pkg/mod|src)/`) // files of libraries and of Go itself
)
