package client

import (
	"context"
	"sync/atomic"

	"github.com/novastream/nova/io/peer"
)

// life is that of a client. The nil one lasts for ever.
type life struct {
	closed atomic.Bool
	root   context.Context // ends soon after closed is set, and with it what is under way
}

func (l *life) over() bool { return l != nil && l.closed.Load() }

// within is ctx, until the client is closed.
func (l *life) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if l == nil {
		return ctx, cancel
	}
	release := context.AfterFunc(l.root, cancel)
	return ctx, func() {
		release()
		cancel()
	}
}

// during makes a call of a client, which ends when the client is closed, and says so.
func during[T any](ctx context.Context, l *life, what string, call func(context.Context) (T, error)) (answer T, err error) {
	code := peer.Invalid // it did not begin
	if !l.over() {
		code = peer.Indeterminate
		ctx, cancel := l.within(ctx)
		defer cancel()
		if answer, err = call(ctx); err == nil || !l.over() {
			return answer, err
		}
	}
	return answer, &peer.Error{Code: code, What: what, Reason: clientClosed, Try: "a client that is open"}
}

// What is said of a call behind a Close.
const (
	clientClosed  = "the client is closed"
	sessionClosed = "the session is closed"
)

// lasting is a star until its client is closed.
type lasting struct {
	peer.Star
	life *life
}

var _ peer.Star = lasting{}

// OpenSession opens a producer that many goroutines may share.
func (s lasting) OpenSession(ctx context.Context, q peer.OpenRequest) (peer.Session, error) {
	return during(ctx, s.life, "open", func(ctx context.Context) (peer.Session, error) {
		opened, err := s.Star.OpenSession(ctx, q)
		if err != nil {
			return nil, err
		}
		return newHandle(opened, q.Stream, s.life), nil
	})
}

func (s lasting) Fetch(ctx context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
	return during(ctx, s.life, "read", func(ctx context.Context) (peer.FetchReply, error) { return s.Star.Fetch(ctx, q) })
}

func (s lasting) Tail(ctx context.Context, stream peer.StreamName) (peer.TailReply, error) {
	return during(ctx, s.life, "tail", func(ctx context.Context) (peer.TailReply, error) { return s.Star.Tail(ctx, stream) })
}

func (s lasting) CreateBucket(ctx context.Context, bucket peer.Bucket) (peer.Bucket, error) {
	return during(ctx, s.life, "create bucket", func(ctx context.Context) (peer.Bucket, error) { return s.Star.CreateBucket(ctx, bucket) })
}

func (s lasting) DescribeBucket(ctx context.Context, name string) (peer.Bucket, error) {
	return during(ctx, s.life, "describe bucket", func(ctx context.Context) (peer.Bucket, error) { return s.Star.DescribeBucket(ctx, name) })
}

func (s lasting) ListBuckets(ctx context.Context, page peer.Page) ([]peer.Bucket, error) {
	return during(ctx, s.life, "list buckets", func(ctx context.Context) ([]peer.Bucket, error) { return s.Star.ListBuckets(ctx, page) })
}

func (s lasting) CreateStream(ctx context.Context, q peer.CreateStreamRequest) (peer.Stream, error) {
	return during(ctx, s.life, "create stream", func(ctx context.Context) (peer.Stream, error) { return s.Star.CreateStream(ctx, q) })
}

func (s lasting) DescribeStream(ctx context.Context, name peer.StreamName) (peer.StreamInfo, error) {
	return during(ctx, s.life, "describe stream", func(ctx context.Context) (peer.StreamInfo, error) { return s.Star.DescribeStream(ctx, name) })
}

func (s lasting) ListStreams(ctx context.Context, bucket string, page peer.Page) ([]peer.Stream, error) {
	return during(ctx, s.life, "list streams", func(ctx context.Context) ([]peer.Stream, error) { return s.Star.ListStreams(ctx, bucket, page) })
}

func (s lasting) DeleteStream(ctx context.Context, name peer.StreamName) error {
	_, err := during(ctx, s.life, "delete stream", func(ctx context.Context) (struct{}, error) { return struct{}{}, s.Star.DeleteStream(ctx, name) })
	return err
}

func (s lasting) Health(ctx context.Context) (peer.Health, error) {
	return during(ctx, s.life, "health", s.Star.Health)
}

func (s lasting) Fleet(ctx context.Context) ([]peer.FleetStar, error) {
	return during(ctx, s.life, "fleet", s.Star.Fleet)
}
