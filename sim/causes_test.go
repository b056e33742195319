package sim_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/sim"
)

// causal is a tracer that notes what led to each event.
type causal struct {
	cause  sim.Cause
	events []string
	causes []sim.Cause
}

func (c *causal) Caused(cause sim.Cause) { c.cause = cause }

func (c *causal) Event(_ time.Duration, _, what string, kv []any) {
	c.events = append(c.events, what+" "+fmt.Sprint(kv...))
	c.causes = append(c.causes, c.cause)
}

// because are the events that led to the one that begins so.
func (c *causal) because(t *testing.T, event string) string {
	t.Helper()
	for i, e := range c.events {
		if strings.HasPrefix(e, event) {
			name := func(n uint64) string {
				if n == 0 {
					return "-"
				}
				return c.events[n-1]
			}
			return name(c.causes[i].Before) + " | " + name(c.causes[i].By)
		}
	}
	t.Fatalf("there is no event %q among %q", event, c.events)
	return ""
}

// TestCauses sees that an event names the one before it in its task, and the one that began or woke the task.
func TestCauses(t *testing.T) {
	play := func(tracer sim.Tracer) uint64 {
		w := sim.New(sim.Config{Seed: 1, Trace: tracer})
		defer w.Close()
		p := w.Process("p")
		bell := p.NewSignal()
		p.Go("waits", func(ctx context.Context) {
			p.Note("waits")
			_ = bell.Wait(ctx)
			p.Note("woken")
		})
		p.Go("lingers", func(ctx context.Context) {
			_ = bell.Wait(ctx)
			_ = p.Sleep(ctx, time.Millisecond)
			p.Go("late child", func(context.Context) { p.Note("late") })
		})
		p.Go("rings", func(ctx context.Context) {
			_ = p.Sleep(ctx, time.Second)
			p.Note("rings")
			bell.Broadcast()
			p.Go("child", func(context.Context) { p.Note("born") })
			p.Note("goes on")
			w.After(time.Second, func() { w.Emit("p", "arrives") })
		})
		if err := w.RunFor(time.Minute); err != nil {
			t.Fatal(err)
		}
		return w.Hash()
	}
	c := &causal{}
	with := play(c)
	for event, want := range map[string]string{
		"rings": "- | start boot1", "woken": "waits  | rings ", "born": "- | rings ", "late": "- | rings ", "goes on": "rings  | -", "arrives": "- | goes on ",
	} {
		if got := c.because(t, event); got != want {
			t.Errorf("%s: got %q, want %q", event, got, want)
		}
	}
	if without := play(nil); with != without {
		t.Error("asking for causes changes the run")
	}
}
