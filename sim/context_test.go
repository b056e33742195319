package sim

import (
	"context"
	"errors"
	"testing"
	"time"
)

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
