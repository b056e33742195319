package client

import (
	"context"

	"github.com/novastream/nova/io/peer"
)

// Fetch reads a run of records. See peer.Data.
func (c *Client) Fetch(ctx context.Context, req peer.FetchRequest) (reply peer.FetchReply, err error) {
	err = c.onStream(ctx, req.Stream, func(s peer.Star) (err error) {
		reply, err = s.Fetch(ctx, req)
		return err
	})
	return reply, err
}

// Tail is the linearizable tail. See peer.Data.
func (c *Client) Tail(ctx context.Context, stream peer.StreamName) (reply peer.TailReply, err error) {
	err = c.onStream(ctx, stream, func(s peer.Star) (err error) {
		reply, err = s.Tail(ctx, stream)
		return err
	})
	return reply, err
}

// DeleteStream deletes a stream. A repeated delete finds nothing: NotFound after an answer was lost means deleted.
func (c *Client) DeleteStream(ctx context.Context, stream peer.StreamName) error {
	lost := false
	return c.onStream(ctx, stream, func(s peer.Star) error {
		err := s.DeleteStream(ctx, stream)
		if lost && peer.Is(err, peer.NotFound) {
			return nil
		}
		lost = lost || peer.Is(err, peer.Indeterminate)
		return err
	})
}

// CreateBucket creates a bucket. AlreadyExists after an answer was lost may mean that the lost try created it.
func (c *Client) CreateBucket(ctx context.Context, bucket peer.Bucket) (out peer.Bucket, err error) {
	err = c.onAny(ctx, func(s peer.Star) (err error) {
		out, err = s.CreateBucket(ctx, bucket)
		return err
	})
	return out, err
}

// DescribeBucket reads a bucket.
func (c *Client) DescribeBucket(ctx context.Context, name string) (out peer.Bucket, err error) {
	err = c.onAny(ctx, func(s peer.Star) (err error) {
		out, err = s.DescribeBucket(ctx, name)
		return err
	})
	return out, err
}

// ListBuckets lists buckets in name order.
func (c *Client) ListBuckets(ctx context.Context, page peer.Page) (out []peer.Bucket, err error) {
	err = c.onAny(ctx, func(s peer.Star) (err error) {
		out, err = s.ListBuckets(ctx, page)
		return err
	})
	return out, err
}

// CreateStream creates a stream. AlreadyExists after an answer was lost may mean that the lost try created it.
func (c *Client) CreateStream(ctx context.Context, req peer.CreateStreamRequest) (out peer.Stream, err error) {
	err = c.onAny(ctx, func(s peer.Star) (err error) {
		out, err = s.CreateStream(ctx, req)
		return err
	})
	return out, err
}

// DescribeStream reads a stream with its state.
func (c *Client) DescribeStream(ctx context.Context, stream peer.StreamName) (out peer.StreamInfo, err error) {
	err = c.onAny(ctx, func(s peer.Star) (err error) {
		out, err = s.DescribeStream(ctx, stream)
		return err
	})
	return out, err
}

// ListStreams lists a bucket's streams in key order.
func (c *Client) ListStreams(ctx context.Context, bucket string, page peer.Page) (out []peer.Stream, err error) {
	err = c.onAny(ctx, func(s peer.Star) (err error) {
		out, err = s.ListStreams(ctx, bucket, page)
		return err
	})
	return out, err
}

// Fleet lists the registered stars.
func (c *Client) Fleet(ctx context.Context) (out []peer.FleetStar, err error) {
	err = c.onAny(ctx, func(s peer.Star) (err error) {
		out, err = s.Fleet(ctx)
		return err
	})
	return out, err
}

// Health is the view of itself of one star: that at addr, or the first known one where addr is empty.
func (c *Client) Health(ctx context.Context, addr string) (peer.Health, error) {
	if addr == "" {
		addr = c.known[0]
	}
	return c.cfg.Network.Dial(addr).Health(ctx)
}
