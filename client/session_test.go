package client

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// taking is a star of one stream whose sessions append what they are sent, and answer in that order.
type taking struct {
	peer.Star
	records []peer.Record
}

func (s *taking) OpenSession(context.Context, peer.OpenRequest) (peer.Session, error) {
	return &taken{star: s, acks: make(chan peer.Ack, 64), closed: make(chan struct{})}, nil
}

func (s *taking) Fetch(_ context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
	return peer.FetchReply{Records: s.records[q.From:], Next: uint64(len(s.records)), AtTail: true}, nil
}

type taken struct {
	star   *taking
	acks   chan peer.Ack // the window: a Send beyond it waits
	closed chan struct{}
}

func (s *taken) Opened() peer.Opened { return peer.Opened{} }

func (s *taken) Send(ctx context.Context, b peer.Batch) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	first := uint64(len(s.star.records))
	for i, r := range b.Records {
		r.Seq = first + uint64(i)
		s.star.records = append(s.star.records, r)
	}
	select {
	case s.acks <- peer.Ack{First: first, Next: first + uint64(len(b.Records))}:
		return nil
	case <-s.closed:
		return context.Canceled
	}
}

func (s *taken) Recv(ctx context.Context) (peer.Ack, error) {
	select {
	case ack := <-s.acks:
		return ack, nil
	case <-s.closed:
		return peer.Ack{}, context.Canceled
	case <-ctx.Done():
		return peer.Ack{}, ctx.Err()
	}
}

func (s *taken) Close(context.Context) error {
	close(s.closed)
	return nil
}

// judged is the result of a check of what was recorded.
func judged(t *testing.T, out *bytes.Buffer) history.Result {
	t.Helper()
	stored, err := history.NewStored(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	result, err := history.Check(stored, history.DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestSharedSession: many goroutines send and receive through one session at once, some with no time left, and its history is
// what happened.
func TestSharedSession(t *testing.T) {
	star := &taking{}
	r, out := newRecorder(t)
	s, err := r.Client(star).OpenSession(t.Context(), peer.OpenRequest{Stream: stream})
	if err != nil {
		t.Fatal(err)
	}
	const goroutines, each = 16, 50
	late, cancel := context.WithCancel(t.Context())
	cancel()
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			for i := range each {
				if i%10 == 9 {
					_ = s.Send(late, peer.Batch{Records: []peer.Record{{Body: []byte("late")}}})
				}
				if err := s.Send(t.Context(), peer.Batch{Records: []peer.Record{{Body: []byte(strconv.Itoa(g*each + i))}}}); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range each {
				if ack, err := s.Recv(t.Context()); err != nil || ack.Err != nil {
					t.Errorf("%+v, %v", ack, err)
				}
			}
		})
	}
	all.Wait()
	if err := errors.Join(s.Close(t.Context()), r.Finish(t.Context(), star)); err != nil {
		t.Fatal(err)
	}
	if got := judged(t, out); got.Verdict() != history.Passed || got.Witness.Records != goroutines*each {
		t.Errorf("%s: %s", got.Verdict(), got)
	}
	if c := r.Counts(); c.OK < goroutines*each {
		t.Errorf("counted %+v", c)
	}
}

// TestSharedSessionThatIsClosed in the middle: who sends and receives then is told, and nothing false is recorded.
func TestSharedSessionThatIsClosed(t *testing.T) {
	star := &taking{}
	r, out := newRecorder(t)
	s, err := r.Client(star).OpenSession(t.Context(), peer.OpenRequest{Stream: stream})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := 0; ; i++ {
				if err := s.Send(t.Context(), peer.Batch{Records: []peer.Record{{Body: []byte(strconv.Itoa(g<<20 | i))}}}); err != nil {
					if want := "the session is closed"; !isClosed(err, want) {
						t.Errorf("%v, want %s", err, want)
					}
					return
				}
			}
		})
		all.Go(func() {
			for i := 0; ; i++ {
				if g == 0 && i == 20 {
					_ = s.Close(t.Context())
				}
				if _, err := s.Recv(t.Context()); err != nil {
					if want := "the session is closed"; !isClosed(err, want) {
						t.Errorf("%v, want %s", err, want)
					}
					return
				}
			}
		})
	}
	all.Wait()
	if err := r.Finish(t.Context(), star); err != nil {
		t.Fatal(err)
	}
	if got := judged(t, out); !got.OK() {
		t.Errorf("%s: %s", got.Verdict(), got)
	}
}

// isClosed says whether an error says why a session ended, and nothing of how.
func isClosed(err error, reason string) bool {
	var e *peer.Error
	return errors.As(err, &e) && e.Reason == reason && !errors.Is(err, context.Canceled)
}
