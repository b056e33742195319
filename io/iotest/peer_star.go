package iotest

import (
	"context"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// Asked is one call that a star got.
type Asked struct {
	Call string // the method's name
	With any    // its argument, or []any of several; nil for none
}

// ScriptedStar is a peer.Star that does what a test wrote down for it, and keeps what it was asked. It runs as tasks of one
// runtime, whose baton guards all of it. Its script may be changed at any time; Changed then tells those who wait.
type ScriptedStar struct {
	// Reply gives the reply of a unary call; nil is the zero reply. It may wait, with Until.
	Reply func(ctx context.Context, asked Asked) (any, error)
	// Open lets a session be opened, or says why not.
	Open func(ctx context.Context, req peer.OpenRequest) (peer.Opened, error)
	// Take lets a session take its n-th batch, from 0, or ends the session. A session keeps what was set when it was opened.
	Take func(ctx context.Context, n int) error
	// Decide answers the n-th batch of a session, or ends the session. Without it batches are sequenced from 0.
	Decide func(ctx context.Context, n int) (peer.Ack, error)

	Asked    []Asked // opens included
	Sessions []*ScriptedSession
	GivenUp  int // waits in Until that ended with their context

	run     run.Runtime
	changed run.Signal
	watch   func() // tells the caller's side; never nil
}

var _ peer.Star = (*ScriptedStar)(nil)

// NewScriptedStar makes a star on the runtime that will serve it. watch is called, with the baton held, whenever something
// about the star changed; it may be nil.
func NewScriptedStar(home run.Runtime, watch func()) *ScriptedStar {
	if watch == nil {
		watch = func() {}
	}
	return &ScriptedStar{run: home, changed: home.NewSignal(), watch: watch}
}

// Changed wakes those who wait for the star.
func (s *ScriptedStar) Changed() {
	s.changed.Broadcast()
	s.watch()
}

// Until waits on a task of the star until the condition holds. It returns nil or ctx's error.
func (s *ScriptedStar) Until(ctx context.Context, holds func() bool) error {
	for !holds() {
		if err := s.changed.Wait(ctx); err != nil {
			s.GivenUp++
			s.Changed()
			return err
		}
	}
	return nil
}

func (s *ScriptedStar) ask(call string, with any) {
	s.Asked = append(s.Asked, Asked{call, with})
	s.Changed()
}

// reply carries out one unary call.
func reply[R any](ctx context.Context, s *ScriptedStar, call string, with any) (R, error) {
	var none R
	s.ask(call, with)
	if s.Reply == nil {
		return none, nil
	}
	value, err := s.Reply(ctx, Asked{call, with})
	if value == nil || err != nil {
		return none, err
	}
	return value.(R), nil
}

// OpenSession opens a scripted session.
func (s *ScriptedStar) OpenSession(ctx context.Context, req peer.OpenRequest) (peer.Session, error) {
	s.ask("OpenSession", req)
	session := &ScriptedSession{star: s, take: s.Take, decide: s.Decide}
	if s.Open != nil {
		var err error
		if session.opened, err = s.Open(ctx, req); err != nil {
			return nil, err
		}
	}
	s.Sessions = append(s.Sessions, session)
	s.Changed()
	return session, nil
}

// Fetch replies.
func (s *ScriptedStar) Fetch(ctx context.Context, req peer.FetchRequest) (peer.FetchReply, error) {
	return reply[peer.FetchReply](ctx, s, "Fetch", req)
}

// Tail replies.
func (s *ScriptedStar) Tail(ctx context.Context, stream peer.StreamName) (peer.TailReply, error) {
	return reply[peer.TailReply](ctx, s, "Tail", stream)
}

// CreateBucket replies.
func (s *ScriptedStar) CreateBucket(ctx context.Context, bucket peer.Bucket) (peer.Bucket, error) {
	return reply[peer.Bucket](ctx, s, "CreateBucket", bucket)
}

// DescribeBucket replies.
func (s *ScriptedStar) DescribeBucket(ctx context.Context, name string) (peer.Bucket, error) {
	return reply[peer.Bucket](ctx, s, "DescribeBucket", name)
}

// ListBuckets replies.
func (s *ScriptedStar) ListBuckets(ctx context.Context, page peer.Page) ([]peer.Bucket, error) {
	return reply[[]peer.Bucket](ctx, s, "ListBuckets", page)
}

// CreateStream replies.
func (s *ScriptedStar) CreateStream(ctx context.Context, req peer.CreateStreamRequest) (peer.Stream, error) {
	return reply[peer.Stream](ctx, s, "CreateStream", req)
}

// DescribeStream replies.
func (s *ScriptedStar) DescribeStream(ctx context.Context, name peer.StreamName) (peer.StreamInfo, error) {
	return reply[peer.StreamInfo](ctx, s, "DescribeStream", name)
}

// ListStreams replies.
func (s *ScriptedStar) ListStreams(ctx context.Context, bucket string, page peer.Page) ([]peer.Stream, error) {
	return reply[[]peer.Stream](ctx, s, "ListStreams", []any{bucket, page})
}

// DeleteStream replies with nothing.
func (s *ScriptedStar) DeleteStream(ctx context.Context, name peer.StreamName) error {
	_, err := reply[struct{}](ctx, s, "DeleteStream", name)
	return err
}

// Certify replies.
func (s *ScriptedStar) Certify(ctx context.Context, req peer.CertifyRequest) (peer.CertifyReply, error) {
	return reply[peer.CertifyReply](ctx, s, "Certify", req)
}

// Health replies.
func (s *ScriptedStar) Health(ctx context.Context) (peer.Health, error) {
	return reply[peer.Health](ctx, s, "Health", nil)
}

// Fleet replies.
func (s *ScriptedStar) Fleet(ctx context.Context) ([]peer.FleetStar, error) {
	return reply[[]peer.FleetStar](ctx, s, "Fleet", nil)
}
