package runtime

import (
	"context"

	"github.com/novastream/nova/io/peer"
)

// Serve wraps the core's star for callers that are not tasks of this process: each call, and each call of a session it
// opens, enters as a task on the caller's goroutine. After Stop they are refused as unavailable.
func (r *Runtime) Serve(s peer.Star) peer.Star { return served{r, s} }

type served struct {
	run  *Runtime
	next peer.Star
}

// call enters for one call of the star.
func call[T any](ctx context.Context, r *Runtime, name string, fn func(ctx context.Context) (T, error)) (result T, err error) {
	if stopped := r.Do(ctx, name, func(ctx context.Context) { result, err = fn(ctx) }); stopped != nil {
		return result, &peer.Error{
			Code: peer.Unavailable, What: "star", Reason: "it is stopping", Try: "ask another star", Err: stopped,
		}
	}
	return result, err
}

// refusal enters for one call that gives nothing but an error.
func refusal(ctx context.Context, r *Runtime, name string, fn func(ctx context.Context) error) error {
	_, err := call(ctx, r, name, func(ctx context.Context) (struct{}, error) { return struct{}{}, fn(ctx) })
	return err
}

func (s served) OpenSession(ctx context.Context, req peer.OpenRequest) (peer.Session, error) {
	return call(ctx, s.run, "serve-open", func(ctx context.Context) (peer.Session, error) {
		opened, err := s.next.OpenSession(ctx, req)
		if err != nil {
			return nil, err
		}
		return servedSession{s.run, opened, opened.Opened()}, nil
	})
}

func (s served) Fetch(ctx context.Context, req peer.FetchRequest) (peer.FetchReply, error) {
	return call(ctx, s.run, "serve-fetch", func(ctx context.Context) (peer.FetchReply, error) { return s.next.Fetch(ctx, req) })
}

func (s served) Tail(ctx context.Context, stream peer.StreamName) (peer.TailReply, error) {
	return call(ctx, s.run, "serve-tail", func(ctx context.Context) (peer.TailReply, error) { return s.next.Tail(ctx, stream) })
}

func (s served) CreateBucket(ctx context.Context, bucket peer.Bucket) (peer.Bucket, error) {
	return call(ctx, s.run, "serve-admin", func(ctx context.Context) (peer.Bucket, error) { return s.next.CreateBucket(ctx, bucket) })
}

func (s served) DescribeBucket(ctx context.Context, name string) (peer.Bucket, error) {
	return call(ctx, s.run, "serve-admin", func(ctx context.Context) (peer.Bucket, error) { return s.next.DescribeBucket(ctx, name) })
}

func (s served) ListBuckets(ctx context.Context, page peer.Page) ([]peer.Bucket, error) {
	return call(ctx, s.run, "serve-admin", func(ctx context.Context) ([]peer.Bucket, error) { return s.next.ListBuckets(ctx, page) })
}

func (s served) CreateStream(ctx context.Context, req peer.CreateStreamRequest) (peer.Stream, error) {
	return call(ctx, s.run, "serve-admin", func(ctx context.Context) (peer.Stream, error) { return s.next.CreateStream(ctx, req) })
}

func (s served) DescribeStream(ctx context.Context, name peer.StreamName) (peer.StreamInfo, error) {
	return call(ctx, s.run, "serve-admin", func(ctx context.Context) (peer.StreamInfo, error) { return s.next.DescribeStream(ctx, name) })
}

func (s served) ListStreams(ctx context.Context, bucket string, page peer.Page) ([]peer.Stream, error) {
	return call(ctx, s.run, "serve-admin", func(ctx context.Context) ([]peer.Stream, error) { return s.next.ListStreams(ctx, bucket, page) })
}

func (s served) DeleteStream(ctx context.Context, name peer.StreamName) error {
	return refusal(ctx, s.run, "serve-admin", func(ctx context.Context) error { return s.next.DeleteStream(ctx, name) })
}

func (s served) Certify(ctx context.Context, req peer.CertifyRequest) (peer.CertifyReply, error) {
	return call(ctx, s.run, "serve-certify", func(ctx context.Context) (peer.CertifyReply, error) { return s.next.Certify(ctx, req) })
}

func (s served) Health(ctx context.Context) (peer.Health, error) {
	return call(ctx, s.run, "serve-health", s.next.Health)
}

func (s served) Fleet(ctx context.Context) ([]peer.FleetStar, error) {
	return call(ctx, s.run, "serve-fleet", s.next.Fleet)
}

type servedSession struct {
	run    *Runtime
	next   peer.Session
	opened peer.Opened
}

func (s servedSession) Opened() peer.Opened { return s.opened }

func (s servedSession) Send(ctx context.Context, batch peer.Batch) error {
	return refusal(ctx, s.run, "serve-send", func(ctx context.Context) error { return s.next.Send(ctx, batch) })
}

func (s servedSession) Recv(ctx context.Context) (peer.Ack, error) {
	return call(ctx, s.run, "serve-recv", s.next.Recv)
}

func (s servedSession) Close(ctx context.Context) error {
	return refusal(ctx, s.run, "serve-close", func(ctx context.Context) error { return s.next.Close(ctx) })
}
