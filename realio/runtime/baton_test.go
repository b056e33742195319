package runtime

import (
	"context"
	"testing"
	"time"
)

// Who waits for the baton is counted, and for no longer than another task has it. The machine decides whether the second
// task comes while the first computes, so there are rounds until it did.
func TestWaited(t *testing.T) {
	r, began := New(Config{}), time.Now()
	for r.Waited() == 0 {
		held, done := make(chan struct{}), make(chan error, 2)
		go func() {
			done <- r.Do(context.Background(), "computes", func(context.Context) {
				close(held)
				for began := time.Now(); time.Since(began) < 5*time.Millisecond; {
				}
			})
		}()
		<-held
		done <- r.Do(context.Background(), "waits", func(context.Context) {})
		for range 2 {
			if err := <-done; err != nil {
				t.Fatal(err)
			}
		}
	}
	if waited, most := r.Waited(), time.Since(began); waited > most {
		t.Errorf("one task waited %v in %v", waited, most)
	}
	if err := r.Stop(time.Minute); err != nil {
		t.Fatal(err)
	}
}
