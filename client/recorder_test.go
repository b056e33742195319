package client

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// script is a star that answers what a test tells it to.
type script struct {
	peer.Star
	records []peer.Record // of the stream
	err     error         // of every call, where it is not nil
	acks    []peer.Ack    // of its session
	sends   []error       // what its Sends say; nil beyond them
	broken  error         // what Recv says when there are no more

	gone  string // key of a stream that does not exist
	dark  string // key of a stream of which no answer comes
	least bool   // a Fetch answers one record
	reads int    // how many more Fetches are answered; 0 is no limit
}

func (s *script) OpenSession(context.Context, peer.OpenRequest) (peer.Session, error) {
	return &scripted{s}, s.err
}

func (s *script) Fetch(ctx context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
	switch {
	case s.gone == q.Stream.Key && s.gone != "":
		return peer.FetchReply{}, &peer.Error{Code: peer.NotFound, What: "stream " + q.Stream.String()}
	case s.dark == q.Stream.Key && s.dark != "":
		<-ctx.Done()
		return peer.FetchReply{}, ctx.Err()
	case s.reads == 1:
		return peer.FetchReply{}, context.DeadlineExceeded
	case s.reads > 1:
		s.reads--
	}
	if s.least && q.From+1 < uint64(len(s.records)) {
		return peer.FetchReply{Records: s.records[q.From : q.From+1], Next: q.From + 1}, s.err
	}
	return peer.FetchReply{Records: s.records[q.From:], Next: uint64(len(s.records)), AtTail: true}, s.err
}

func (s *script) Tail(context.Context, peer.StreamName) (peer.TailReply, error) {
	return peer.TailReply{Next: uint64(len(s.records))}, s.err
}

type scripted struct{ *script }

func (h *scripted) Opened() peer.Opened         { return peer.Opened{Next: 0, Token: 3} }
func (h *scripted) Close(context.Context) error { return nil }
func (h *scripted) Send(context.Context, peer.Batch) (err error) {
	if len(h.sends) > 0 {
		err, h.sends = h.sends[0], h.sends[1:]
	}
	return err
}
func (h *scripted) Recv(context.Context) (ack peer.Ack, err error) {
	if len(h.acks) == 0 {
		return ack, h.broken
	}
	ack, h.acks = h.acks[0], h.acks[1:]
	return ack, nil
}

var stream = peer.StreamName{Bucket: "logs", Key: "app"}

// lines is what was recorded, without times.
func lines(t *testing.T, out *bytes.Buffer) []string {
	t.Helper()
	stored, err := history.NewStored(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range stored.Events() {
		if err != nil {
			t.Fatal(err)
		}
	}
	var all []string
	for line := range strings.Lines(out.String()) {
		if _, rest, ok := strings.Cut(line, ","); ok && !strings.Contains(line, "nova_history") {
			all = append(all, strings.TrimSpace(rest))
		}
	}
	return all
}

func newRecorder(t *testing.T) (*Recorder, *bytes.Buffer) {
	t.Helper()
	out := &bytes.Buffer{}
	r, err := NewRecorder(out, "a test")
	if err != nil {
		t.Fatal(err)
	}
	return r, out
}

// TestSession records batches in the order of their outcomes: acknowledged, refused, and unknown when the session breaks.
func TestSession(t *testing.T) {
	ctx := t.Context()
	record := func(n byte) peer.Record { return peer.Record{Body: []byte{n}} }
	star := &script{
		acks:   []peer.Ack{{First: 0, Next: 1}, {Err: &peer.Error{Code: peer.MatchFailed, Tail: 1}}, {Err: &peer.Error{Code: peer.NotAppended}}},
		broken: errors.New("the connection broke"), records: []peer.Record{record(1)},
	}
	r, out := newRecorder(t)
	s, err := r.Client(star).OpenSession(ctx, peer.OpenRequest{Stream: stream})
	if err != nil {
		t.Fatal(err)
	}
	match := uint64(7)
	for i := range 4 {
		b := peer.Batch{Records: []peer.Record{record(byte(i + 1))}}
		if i == 1 {
			b.MatchSeq = &match
		}
		if err := s.Send(ctx, b); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		_, err = s.Recv(ctx)
	}
	if err == nil || s.Close(ctx) != nil {
		t.Error("the session's own words did not come through")
	}
	if err := r.Finish(ctx, star); err != nil {
		t.Fatal(err)
	}
	got := lines(t, out)
	for i, want := range []string{
		`"invoke":"open"`, `"complete":"open","outcome":"ok"`, `"invoke":"append"`, `"match":7,"token":3`, `"invoke":"append"`, `"invoke":"append"`,
		`"outcome":"ok","client":1,"op":2,"first":0,"next":1`, `"outcome":"failed","client":1,"op":3,"code":"match-failed","tail":1`,
		`"outcome":"failed","client":1,"op":4,"code":"not-appended"`, `"outcome":"unknown","client":1,"op":5`, `"final":"logs/app","first":0`,
	} {
		if i >= len(got) || !strings.Contains(got[i], want) {
			t.Errorf("event %d misses %s in\n%s", i, want, strings.Join(got, "\n"))
		}
	}
	if c := r.Counts(); c != (Counts{OK: 2, Failed: 2, Unknown: 1}) {
		t.Errorf("counted %+v", c)
	}
}

// TestASendThatFails takes no outcome from the batches before it: an exactly-once producer goes on behind it.
func TestASendThatFails(t *testing.T) {
	ctx := t.Context()
	star := &script{sends: []error{nil, context.DeadlineExceeded}, acks: []peer.Ack{{First: 0, Next: 1}, {First: 1, Next: 2}}}
	r, out := newRecorder(t)
	s, err := r.Client(star).OpenSession(ctx, peer.OpenRequest{Stream: stream})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		_ = s.Send(ctx, peer.Batch{Records: []peer.Record{{Body: []byte{byte(i)}}}})
	}
	for range 2 {
		if _, err := s.Recv(ctx); err != nil {
			t.Error(err)
		}
	}
	_ = s.Close(ctx)
	_ = r.Finish(ctx, &script{})
	text := strings.Join(lines(t, out), "\n")
	for _, want := range []string{`"outcome":"ok","client":1,"op":2,"first":0`, `"outcome":"unknown","client":1,"op":3`, `"outcome":"ok","client":1,"op":4,"first":1`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

// TestReads records reads and tails of two clients, and what an error says of them.
func TestReads(t *testing.T) {
	star := &script{records: []peer.Record{{Body: []byte("a")}, {Seq: 1, Headers: []peer.Header{{Name: []byte("n")}}}}}
	r, out := newRecorder(t)
	one, other := r.Client(star), r.Client(star)
	ctx := t.Context()
	_, _ = one.Fetch(ctx, peer.FetchRequest{Stream: stream, Linearizable: true})
	_, _ = other.Tail(ctx, stream)
	star.err = &peer.Error{Code: peer.Unavailable}
	_, _ = other.Tail(ctx, stream)
	star.err = context.DeadlineExceeded
	_, _ = one.Fetch(ctx, peer.FetchRequest{Stream: stream})
	star.err = &peer.Error{Code: peer.Fenced, Token: 9}
	if _, err := one.OpenSession(ctx, peer.OpenRequest{Stream: stream, Token: 4}); !peer.Is(err, peer.Fenced) {
		t.Errorf("the open ended with %v", err)
	}
	if err := r.Finish(ctx, star); !peer.Is(err, peer.Fenced) {
		t.Errorf("what could not be read back was not told: %v", err)
	}
	text := strings.Join(lines(t, out), "\n")
	for _, want := range []string{
		`"from":0,"linearizable":true`, `"first":0,"next":2,"hashes":[`, `"client":2,"op":1,"tail":2`, `"code":"unavailable"`,
		`"outcome":"unknown","client":1,"op":2`, `"code":"fenced","token":9`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
