package runtime

import (
	"context"

	"github.com/novastream/nova/io/peer"
)

// Network wraps a network so that the calls of its stars, and of their sessions, release the baton.
func (r *Runtime) Network(n peer.Network) peer.Network { return network{r, n} }

// Star wraps a star that the core calls so that its calls release the baton.
func (r *Runtime) Star(s peer.Star) peer.Star { return star{&r.baton, s} }

type network struct {
	run  *Runtime
	next peer.Network
}

func (n network) Dial(addr string) peer.Star { return n.run.Star(n.next.Dial(addr)) }

type star struct {
	baton *baton
	next  peer.Star
}

func (s star) OpenSession(ctx context.Context, req peer.OpenRequest) (peer.Session, error) {
	s.baton.leave()
	defer s.baton.enter()
	opened, err := s.next.OpenSession(ctx, req)
	if err != nil {
		return nil, err
	}
	return session{s.baton, opened}, nil
}

func (s star) Fetch(ctx context.Context, req peer.FetchRequest) (peer.FetchReply, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Fetch(ctx, req)
}

func (s star) Tail(ctx context.Context, stream peer.StreamName) (peer.TailReply, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Tail(ctx, stream)
}

func (s star) CreateBucket(ctx context.Context, bucket peer.Bucket) (peer.Bucket, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.CreateBucket(ctx, bucket)
}

func (s star) DescribeBucket(ctx context.Context, name string) (peer.Bucket, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.DescribeBucket(ctx, name)
}

func (s star) ListBuckets(ctx context.Context, page peer.Page) ([]peer.Bucket, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.ListBuckets(ctx, page)
}

func (s star) CreateStream(ctx context.Context, req peer.CreateStreamRequest) (peer.Stream, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.CreateStream(ctx, req)
}

func (s star) DescribeStream(ctx context.Context, name peer.StreamName) (peer.StreamInfo, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.DescribeStream(ctx, name)
}

func (s star) ListStreams(ctx context.Context, bucket string, page peer.Page) ([]peer.Stream, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.ListStreams(ctx, bucket, page)
}

func (s star) DeleteStream(ctx context.Context, name peer.StreamName) error {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.DeleteStream(ctx, name)
}

func (s star) Certify(ctx context.Context, req peer.CertifyRequest) (peer.CertifyReply, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Certify(ctx, req)
}

func (s star) Health(ctx context.Context) (peer.Health, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Health(ctx)
}

func (s star) Fleet(ctx context.Context) ([]peer.FleetStar, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Fleet(ctx)
}

type session struct {
	baton *baton
	next  peer.Session
}

func (s session) Opened() peer.Opened { return s.next.Opened() }

func (s session) Send(ctx context.Context, batch peer.Batch) error {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Send(ctx, batch)
}

func (s session) Recv(ctx context.Context) (peer.Ack, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Recv(ctx)
}

func (s session) Close(ctx context.Context) error {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Close(ctx)
}
