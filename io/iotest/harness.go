package iotest

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/io/run"
)

// T is what a suite needs of a test: *testing.T is one.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Harness is what every case is given, whatever its contract.
type Harness struct {
	T   T
	Ctx context.Context // of the task that the case runs on
	Run run.Runtime
}

// Case is one case of a suite; H is the harness of the contract.
type Case[H any] struct {
	Name string
	run  func(H)
}

// Run runs the case to its end. It reports failures to the harness's T, and does not panic for them.
func (c Case[H]) Run(h H) {
	guard(func() { c.run(h) })
}

// failure is the panic that ends a failed case; guard stops it.
type failure struct{}

func guard(fn func()) {
	defer func() {
		if r := recover(); r != nil {
			if _, failed := r.(failure); !failed {
				panic(r)
			}
		}
	}()
	fn()
}

// fatalf reports a failure and ends what the calling task does for the case.
func (h Harness) fatalf(format string, args ...any) {
	h.T.Helper()
	h.T.Errorf(format, args...)
	panic(failure{})
}

// must ends the case if err is not nil.
func (h Harness) must(err error, what string, args ...any) {
	h.T.Helper()
	if err != nil {
		h.fatalf("%s: %v", fmt.Sprintf(what, args...), err)
	}
}

// wants ends the case if err is none of these.
func (h Harness) wants(err error, what string, targets ...error) {
	h.T.Helper()
	for _, target := range targets {
		if errors.Is(err, target) {
			return
		}
	}
	h.fatalf("%s: got error %v, want %v", what, err, targets)
}

// together runs fn on n tasks at once and returns when all are done.
func (h Harness) together(n int, fn func(ctx context.Context, i int)) {
	h.T.Helper()
	done, running := h.Run.NewSignal(), n
	for i := range n {
		h.Run.Go(fmt.Sprintf("together-%d", i), func(ctx context.Context) {
			guard(func() { fn(ctx, i) })
			running--
			done.Broadcast()
		})
	}
	for running > 0 {
		h.must(done.Wait(h.Ctx), "wait for %d tasks", running)
	}
}

// pattern is n bytes that differ from place to place and from seed to seed.
func pattern(n int, seed byte) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i) ^ byte(i>>8)*31 ^ byte(i>>16)*17 ^ seed
	}
	return data
}
