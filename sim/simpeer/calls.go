package simpeer

import (
	"context"

	"github.com/novastream/nova/io/peer"
)

// Fetch reads records from a seq.
func (r *remote) Fetch(ctx context.Context, req peer.FetchRequest) (peer.FetchReply, error) {
	return call(ctx, r, "peer.fetch", true, func(ctx context.Context, s peer.Star) (peer.FetchReply, error) {
		return s.Fetch(ctx, req)
	})
}

// Tail is the linearizable tail.
func (r *remote) Tail(ctx context.Context, stream peer.StreamName) (peer.TailReply, error) {
	return call(ctx, r, "peer.tail", true, func(ctx context.Context, s peer.Star) (peer.TailReply, error) {
		return s.Tail(ctx, stream)
	})
}

// CreateBucket creates a bucket.
func (r *remote) CreateBucket(ctx context.Context, bucket peer.Bucket) (peer.Bucket, error) {
	return call(ctx, r, "peer.create-bucket", false, func(ctx context.Context, s peer.Star) (peer.Bucket, error) {
		return s.CreateBucket(ctx, bucket)
	})
}

// DescribeBucket describes a bucket.
func (r *remote) DescribeBucket(ctx context.Context, name string) (peer.Bucket, error) {
	return call(ctx, r, "peer.describe-bucket", true, func(ctx context.Context, s peer.Star) (peer.Bucket, error) {
		return s.DescribeBucket(ctx, name)
	})
}

// ListBuckets lists buckets in name order.
func (r *remote) ListBuckets(ctx context.Context, page peer.Page) ([]peer.Bucket, error) {
	return call(ctx, r, "peer.list-buckets", true, func(ctx context.Context, s peer.Star) ([]peer.Bucket, error) {
		return s.ListBuckets(ctx, page)
	})
}

// CreateStream creates a stream.
func (r *remote) CreateStream(ctx context.Context, req peer.CreateStreamRequest) (peer.Stream, error) {
	return call(ctx, r, "peer.create-stream", false, func(ctx context.Context, s peer.Star) (peer.Stream, error) {
		return s.CreateStream(ctx, req)
	})
}

// DescribeStream describes a stream.
func (r *remote) DescribeStream(ctx context.Context, name peer.StreamName) (peer.StreamInfo, error) {
	return call(ctx, r, "peer.describe-stream", true, func(ctx context.Context, s peer.Star) (peer.StreamInfo, error) {
		return s.DescribeStream(ctx, name)
	})
}

// ListStreams lists streams in key order.
func (r *remote) ListStreams(ctx context.Context, bucket string, page peer.Page) ([]peer.Stream, error) {
	return call(ctx, r, "peer.list-streams", true, func(ctx context.Context, s peer.Star) ([]peer.Stream, error) {
		return s.ListStreams(ctx, bucket, page)
	})
}

// DeleteStream deletes a stream.
func (r *remote) DeleteStream(ctx context.Context, name peer.StreamName) error {
	_, err := call(ctx, r, "peer.delete-stream", false, func(ctx context.Context, s peer.Star) (struct{}, error) {
		return struct{}{}, s.DeleteStream(ctx, name)
	})
	return err
}

// Certify asks the star to cover a stream.
func (r *remote) Certify(ctx context.Context, req peer.CertifyRequest) (peer.CertifyReply, error) {
	return call(ctx, r, "peer.certify", true, func(ctx context.Context, s peer.Star) (peer.CertifyReply, error) {
		return s.Certify(ctx, req)
	})
}

// Health is the star's view of itself.
func (r *remote) Health(ctx context.Context) (peer.Health, error) {
	return call(ctx, r, "peer.health", true, func(ctx context.Context, s peer.Star) (peer.Health, error) {
		return s.Health(ctx)
	})
}

// Fleet lists the registered stars.
func (r *remote) Fleet(ctx context.Context) ([]peer.FleetStar, error) {
	return call(ctx, r, "peer.fleet", true, func(ctx context.Context, s peer.Star) ([]peer.FleetStar, error) {
		return s.Fleet(ctx)
	})
}
