package cli

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"
)

// TestStopRequests counts signals of one kind that come at once as one request to stop, and others as a second one.
func TestStopRequests(t *testing.T) {
	type came struct {
		signal os.Signal
		after  time.Duration // since the first
	}
	for _, c := range []struct {
		name    string
		ignored []came // behind the first SIGTERM
		second  came
	}{
		{"later", nil, came{syscall.SIGTERM, 200 * time.Millisecond}},
		{"a manager that signals the group and the process", []came{{syscall.SIGTERM, 0}, {syscall.SIGTERM, 199 * time.Millisecond}}, came{syscall.SIGTERM, time.Second}},
		{"another kind", nil, came{os.Interrupt, time.Millisecond}},
		{"another kind, after the same", []came{{syscall.SIGTERM, time.Millisecond}}, came{os.Interrupt, 2 * time.Millisecond}},
	} {
		t.Run(c.name, func(t *testing.T) {
			signals, times := make(chan os.Signal), make(chan time.Duration, 1)
			began := time.Unix(0, 0)
			now := func() time.Time { return began.Add(<-times) }
			stopped := false
			serving, again := stopRequests(t.Context(), signals, now, func() { stopped = true })
			send := func(one came) {
				times <- one.after
				signals <- one.signal // it is taken where the one before it was no second request
			}
			if serving.Err() != nil {
				t.Error("it ends without a signal")
			}
			send(came{syscall.SIGTERM, 0})
			<-serving.Done()
			for _, one := range c.ignored {
				send(one)
			}
			send(c.second)
			<-again
			if !stopped {
				t.Error("a third signal would not end the process")
			}
		})
	}
}

// TestStopRequestsOfAnEndedContext: what was to be served until a context ends is no longer served when it has.
func TestStopRequestsOfAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	serving, again := stopRequests(ctx, make(chan os.Signal), time.Now, func() {})
	cancel()
	<-serving.Done()
	select {
	case <-again:
		t.Error("it was asked twice")
	default:
	}
}
