package star

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/directory"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/fleet"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/reads"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/peer"
)

// Star is one serving process.
type Star struct {
	cfg      Config
	env      env.Env
	sets     []chain.Set
	stores   *chain.Stores
	lines    map[records.Class]leadership.Line
	registry *fleet.Registry
	judge    *fleet.Judge
	leaders  *leadership.Manager
	reader   *reads.Reader
	stopping bool

	measured  reading
	unsettled map[keys.Epoch]error // of earlier boots: what keeps the epoch from being settled; nil once it is
}

var _ peer.Star = (*Star)(nil)

// ID is the star's identity.
func (s *Star) ID() keys.StarID { return s.env.Star }

// Stop ends the star cleanly: Finish on every stream, the chain epochs closed and settled, the registration withdrawn. Where
// ctx ends first, what is left is covered by the next opens; nothing acknowledged is lost either way.
func (s *Star) Stop(ctx context.Context) error {
	s.stopping = true
	s.registry.Route(false, true)
	left := []error{s.leaders.Stop(ctx)}
	for _, set := range s.sets {
		if err := s.lines[set.Class].Writer.Close(ctx); err != nil {
			left = append(left, fmt.Errorf("close the %s chain: %w", set.Class.Word(), err))
		}
	}
	for _, set := range s.sets {
		if err := s.lines[set.Class].Absorb.Drained(ctx); err != nil {
			left = append(left, fmt.Errorf("settle the %s chain: %w", set.Class.Word(), err))
		}
	}
	if err := s.registry.Withdraw(ctx); err != nil {
		left = append(left, fmt.Errorf("withdraw the registration: %w", err))
	}
	err := errors.Join(left...)
	s.env.Run.Note("star stopped", "star", s.env.Star, "left", err)
	return err
}

// OpenSession opens a producer handle: peer.Data.
func (s *Star) OpenSession(ctx context.Context, req peer.OpenRequest) (peer.Session, error) {
	session, err := s.leaders.Open(ctx, req)
	if err != nil {
		return nil, err
	}
	return session, nil
}

// Fetch reads records: peer.Data.
func (s *Star) Fetch(ctx context.Context, req peer.FetchRequest) (peer.FetchReply, error) {
	return s.reader.Fetch(ctx, req)
}

// Tail is the linearizable tail: peer.Data.
func (s *Star) Tail(ctx context.Context, stream peer.StreamName) (peer.TailReply, error) {
	return s.leaders.Tail(ctx, stream)
}

// Certify covers a stream for another star: peer.Node.
func (s *Star) Certify(ctx context.Context, req peer.CertifyRequest) (peer.CertifyReply, error) {
	return s.leaders.Certify(ctx, req)
}

// CreateBucket creates a bucket: peer.Admin.
func (s *Star) CreateBucket(ctx context.Context, bucket peer.Bucket) (peer.Bucket, error) {
	if err := s.checkClass("bucket "+bucket.Name, bucket.Class); err != nil {
		return bucket, err
	}
	bucket, err := directory.CreateBucket(ctx, s.env, bucket)
	return bucket, refusal("bucket "+bucket.Name, err)
}

// DescribeBucket reads a bucket: peer.Admin.
func (s *Star) DescribeBucket(ctx context.Context, name string) (peer.Bucket, error) {
	bucket, err := directory.DescribeBucket(ctx, s.env.Meta.Naming, name)
	return bucket, refusal("bucket "+name, err)
}

// ListBuckets lists buckets: peer.Admin.
func (s *Star) ListBuckets(ctx context.Context, page peer.Page) ([]peer.Bucket, error) {
	buckets, err := directory.ListBuckets(ctx, s.env.Meta.Naming, page)
	return buckets, refusal("buckets", err)
}

// CreateStream creates a stream: peer.Admin.
func (s *Star) CreateStream(ctx context.Context, req peer.CreateStreamRequest) (peer.Stream, error) {
	if err := s.checkClass("stream "+req.Stream.String(), req.Class); err != nil {
		return peer.Stream{}, err
	}
	d, err := directory.CreateStream(ctx, s.env, req)
	if err != nil {
		return peer.Stream{}, refusal("stream "+req.Stream.String(), err)
	}
	return directory.StreamOf(d.Value), nil
}

// checkClass refuses a class that this star has no stores for.
func (s *Star) checkClass(what string, class peer.Class) error {
	if _, ok := s.lines[records.Class(class)]; ok || class == peer.ClassDefault {
		return nil
	}
	return &peer.Error{
		Code: peer.Invalid, What: what, Reason: "this star has no stores of class " + class.String(),
		Try: "start the stars with --express, or choose another class",
	}
}

// ListStreams lists a bucket's streams: peer.Admin.
func (s *Star) ListStreams(ctx context.Context, bucket string, page peer.Page) ([]peer.Stream, error) {
	streams, err := directory.ListStreams(ctx, s.env.Meta.Naming, bucket, page)
	return streams, refusal("bucket "+bucket, err)
}

// DeleteStream deletes a stream: peer.Admin.
func (s *Star) DeleteStream(ctx context.Context, name peer.StreamName) error {
	return s.leaders.Delete(ctx, name)
}

// refusal makes what a contract said an answer for the caller.
func refusal(what string, err error) error {
	var answered *peer.Error
	if err == nil || errors.As(err, &answered) {
		return err
	}
	return &peer.Error{Code: peer.Unavailable, What: what, Reason: "the metastore cannot be reached or did not say what became of a write: " + err.Error(), Err: err, Try: "try again"}
}
