package sim

import (
	"context"
	"testing"
	"time"
)

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
