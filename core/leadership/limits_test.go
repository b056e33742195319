package leadership_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim/fleets"
)

// limited is a fleet of one star with small limits.
func limited(t *testing.T, change func(*leadership.Limits)) *rig {
	limits := leadership.DefaultLimits()
	change(&limits)
	return newRig(t, 1, fleets.Config{Stars: 1, Limits: limits})
}

// TestSessionsAreShed: a new session past the limit is refused as shed, however many come at once, and whether the older ones
// may still append or not; one that is given back makes room.
func TestSessionsAreShed(t *testing.T) {
	r := limited(t, func(l *leadership.Limits) { l.Sessions = 3 })
	for _, mode := range []peer.Mode{peer.ModeAny, peer.ModeFenced} {
		stream := r.streamFor(r.Stars[0], mode, peer.ClassStandard)
		c := r.Scribe("c")
		var sessions []peer.Session
		shed := 0
		for range 6 {
			c.Go("open", func(ctx context.Context) {
				s, err := c.Star(r.Stars[0]).OpenSession(ctx, peer.OpenRequest{Stream: stream.Name}) // a Fenced stream gives the next token
				switch {
				case err == nil:
					sessions = append(sessions, s)
				case peer.Is(err, peer.Shed):
					shed++
				default:
					t.Errorf("%s: %v", mode, err)
				}
			})
		}
		r.pass(5 * time.Second)
		r.check(shed == 3 && len(sessions) == 3, "%s: %d sessions and %d shed", mode, len(sessions), shed)
		r.ok(c.Do(func(ctx context.Context) error { return sessions[0].Close(ctx) }))
		r.write(c, r.open(c, stream, client.ProducerOptions{}), 1)
		c.Kill()
		r.pass(time.Second)
	}
	r.done()
}

// TestAFullStarTakesNoLeadership: a star at its bounds does not take the lead only to shed its producer.
func TestAFullStarTakesNoLeadership(t *testing.T) {
	r := limited(t, func(l *leadership.Limits) { l.Sessions = 1 })
	one := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
	two := r.streamFor(r.Stars[0], peer.ModeFenced, peer.ClassStandard)
	c := r.Scribe("c")
	r.open(c, one, client.ProducerOptions{})
	err := r.openAt(c, r.Stars[0], two)
	r.check(peer.Is(err, peer.Shed) && r.Writer(r.ID(two)).GetStreamEpoch() == 0, "%v; writer row %v", err, r.Writer(r.ID(two)))
	r.done()
}

// TestBatchLimits: what breaks a limit is refused in its place among the answers; the session goes on.
func TestBatchLimits(t *testing.T) {
	r := limited(t, func(l *leadership.Limits) { l.RecordBytes, l.BatchBytes, l.BatchRecords = 100, 250, 5 })
	stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
	c := r.Scribe("c")
	sized := func(sizes ...int) peer.Batch {
		b := peer.Batch{}
		for _, n := range sizes {
			b.Records = append(b.Records, peer.Record{Body: make([]byte, n)})
		}
		return b
	}
	headed := sized(50)
	headed.Records[0].Headers = []peer.Header{{Name: make([]byte, 30), Value: make([]byte, 30)}}
	cases := []struct {
		name  string
		batch peer.Batch
		code  peer.Code
	}{
		{"no record", sized(), peer.Invalid},
		{"a record over its limit", sized(10, 101), peer.TooLarge},
		{"headers count", headed, peer.TooLarge},
		{"a batch over its limit", sized(90, 90, 90), peer.TooLarge},
		{"too many records", sized(1, 1, 1, 1, 1, 1), peer.TooLarge},
	}
	r.ok(c.Do(func(ctx context.Context) error {
		s, err := c.Star(r.Stars[0]).OpenSession(ctx, peer.OpenRequest{Stream: stream.Name})
		if err != nil {
			return err
		}
		for _, k := range cases {
			if err := s.Send(ctx, k.batch); err != nil {
				return err
			}
		}
		for _, k := range cases {
			if ack, err := s.Recv(ctx); err != nil || ack.Err == nil || ack.Err.Code != k.code {
				t.Errorf("%s: %+v, %v", k.name, ack, err)
			}
		}
		return s.Close(ctx)
	}))
	r.write(c, r.open(c, stream, client.ProducerOptions{}), 1)
	r.done()
}

// TestWindowsHoldAProducer: a producer past its window, or one at a star that retains too much, is held by flow control, not
// refused; it goes on when there is room.
func TestWindowsHoldAProducer(t *testing.T) {
	for name, change := range map[string]func(*leadership.Limits){
		"the session's window":  func(l *leadership.Limits) { l.WindowBytes = 1000 },
		"the star's retention":  func(l *leadership.Limits) { l.RetainedBytes = 1000 },
		"a window below a line": func(l *leadership.Limits) { l.WindowBytes = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			r := limited(t, change)
			stream := r.streamFor(r.Stars[0], peer.ModeAny, peer.ClassStandard)
			c := r.Scribe("c")
			pen := r.open(c, stream, client.ProducerOptions{})
			r.Objects.SetDark(true)
			sent, answered := 0, 0
			c.Go("send", func(ctx context.Context) {
				for range 50 {
					if err := pen.Send(ctx, peer.Batch{Records: []peer.Record{{Body: make([]byte, 100)}}}); err != nil {
						t.Error(err)
					}
					sent++
				}
			})
			c.Go("receive", func(ctx context.Context) {
				for range 50 {
					if ack, err := pen.Recv(ctx); err != nil || ack.Err != nil || ack.First != uint64(answered) {
						t.Errorf("answer %d: %+v, %v", answered, ack, err)
					}
					answered++
				}
			})
			r.pass(5 * time.Second)
			r.check(answered == 0, "answered with the store dark")
			r.Objects.SetDark(false)
			r.until("all answers", func() bool { return sent == 50 && answered == 50 })
			r.check(r.tail(c, stream) == 50, "the tail is %d", r.tail(c, stream))
			r.Forget(stream) // its records are all alike
			r.done()
		})
	}
}
