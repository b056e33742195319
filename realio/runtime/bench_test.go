package runtime_test

import (
	"context"
	"sync"
	"testing"

	"github.com/novastream/nova/realio/runtime"
)

// BenchmarkCall is what a wrapped call costs that nobody waits behind: the baton given up and taken again.
func BenchmarkCall(b *testing.B) {
	r := runtime.New(runtime.Config{})
	_ = r.Do(b.Context(), "bench", func(ctx context.Context) {
		for b.Loop() {
			r.Offload(ctx, func() {})
		}
	})
}

// BenchmarkSwitch is one turn of two tasks that wake each other by a signal.
func BenchmarkSwitch(b *testing.B) {
	r := runtime.New(runtime.Config{})
	signal, turn := r.NewSignal(), 0
	var done sync.WaitGroup
	for me := range 2 {
		done.Go(func() {
			_ = r.Do(b.Context(), "bench", func(ctx context.Context) {
				for turn < b.N {
					if turn%2 != me {
						_ = signal.Wait(ctx)
						continue
					}
					turn++
					signal.Broadcast()
				}
			})
		})
	}
	done.Wait()
}

// BenchmarkContended is a yield of one of 64 tasks that all want the baton.
func BenchmarkContended(b *testing.B) {
	r := runtime.New(runtime.Config{})
	var done sync.WaitGroup
	left := b.N
	for range 64 {
		done.Go(func() {
			_ = r.Do(b.Context(), "bench", func(ctx context.Context) {
				for left > 0 {
					left--
					_ = r.Sleep(ctx, 0)
				}
			})
		})
	}
	done.Wait()
}
