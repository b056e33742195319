package client_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
)

// TestHolderIsRememberedAndForgotten: a redirect is followed at once and remembered for its stream; any other failure of the
// holder forgets it.
func TestHolderIsRememberedAndForgotten(t *testing.T) {
	s, c := newScript(t, "a", "b", "c")
	failing := false
	s.stars["b"].tail = func(context.Context) (peer.TailReply, error) { return peer.TailReply{}, redirect("c") }
	s.stars["c"].tail = func(context.Context) (peer.TailReply, error) {
		if failing {
			return peer.TailReply{}, refusal(peer.Unavailable)
		}
		return peer.TailReply{Next: 7}, nil
	}
	s.stars["a"].tail = func(context.Context) (peer.TailReply, error) { return peer.TailReply{Next: 8}, nil }
	s.play(func(ctx context.Context) {
		for _, want := range []uint64{7, 7} {
			if reply, err := c.Tail(ctx, stream); err != nil || reply.Next != want {
				t.Errorf("got %+v, %v", reply, err)
			}
		}
		failing = true
		if reply, err := c.Tail(ctx, stream); err != nil || reply.Next != 8 {
			t.Errorf("got %+v, %v", reply, err)
		}
	})
	if want := []string{"b", "c", "c", "c"}; !slices.Equal(s.calls[:4], want) {
		t.Errorf("called %v, want %v and then others", s.calls, want)
	}
}

// TestLastingFailureForgetsTheHolder: an answer that is no use to repeat is given at once, and forgets the holder, too.
func TestLastingFailureForgetsTheHolder(t *testing.T) {
	s, c := newScript(t, "a", "b")
	s.stars["b"].tail = func(context.Context) (peer.TailReply, error) { return peer.TailReply{}, redirect("a") }
	s.stars["a"].tail = func(context.Context) (peer.TailReply, error) { return peer.TailReply{}, refusal(peer.NotFound) }
	s.play(func(ctx context.Context) {
		for range 2 {
			if _, err := c.Tail(ctx, stream); !peer.Is(err, peer.NotFound) {
				t.Errorf("got %v", err)
			}
		}
	})
	if want := []string{"b", "a", "b", "a"}; !slices.Equal(s.calls, want) {
		t.Errorf("called %v, want %v: the second call finds the holder anew", s.calls, want)
	}
}

// TestStarsThatPointAtEachOther: two stars that redirect to each other are not asked in a tight loop, and the caller's time
// ends it with the last answer.
func TestStarsThatPointAtEachOther(t *testing.T) {
	s, c := newScript(t, "a", "b")
	s.stars["a"].tail = func(context.Context) (peer.TailReply, error) { return peer.TailReply{}, redirect("b") }
	s.stars["b"].tail = func(context.Context) (peer.TailReply, error) { return peer.TailReply{}, redirect("a") }
	s.play(func(ctx context.Context) {
		_, err := c.Tail(s.within(ctx, 10*time.Second), stream)
		var unfinished *client.UnfinishedError
		if !errors.As(err, &unfinished) || !errors.Is(err, context.DeadlineExceeded) || !peer.Is(err, peer.NotOwner) {
			t.Errorf("got %v", err)
		}
	})
	if len(s.calls) > 100 {
		t.Errorf("%d calls in 10 seconds", len(s.calls))
	}
}

// TestDeleteTwice: a deletion whose answer was lost and that then finds nothing has deleted the stream; one that finds nothing at
// first has not.
func TestDeleteTwice(t *testing.T) {
	for _, lost := range []bool{false, true} {
		s, c := newScript(t, "a")
		tries := 0
		s.stars["a"].Star = deleter(func() error {
			if tries++; lost && tries == 1 {
				return refusal(peer.Indeterminate)
			}
			return refusal(peer.NotFound)
		})
		s.play(func(ctx context.Context) {
			if err := c.DeleteStream(ctx, stream); lost != (err == nil) {
				t.Errorf("lost %v: got %v", lost, err)
			}
		})
	}
}

// deleter is a star that only deletes.
type deleting struct {
	peer.Star
	do func() error
}

func deleter(do func() error) peer.Star { return deleting{do: do} }

func (d deleting) DeleteStream(context.Context, peer.StreamName) error { return d.do() }
