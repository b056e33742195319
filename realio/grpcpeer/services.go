package grpcpeer

import (
	"context"
	"sync/atomic"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

type dataService struct {
	novav1.UnimplementedDataServiceServer
	star  peer.Star
	reads atomic.Int64 // under way
}

func (s *dataService) Fetch(ctx context.Context, r *novav1.FetchRequest) (*novav1.FetchResponse, error) {
	reply, err := s.star.Fetch(ctx, peer.FetchRequest{
		Stream: nameOf(r.GetStream()), From: r.GetFrom(), MaxCount: limits{count: uint64(r.GetMaxCount())}.maxCount(),
		MaxBytes: int(min(r.GetMaxBytes(), maxFetchBytes)), Wait: max(0, min(r.GetWait().AsDuration(), maxFetchWait)),
		Linearizable: r.GetLinearizable(),
	})
	if err != nil {
		return nil, statusOf(err)
	}
	wire, reply := fit(reply, wireRecords(reply.Records))
	return &novav1.FetchResponse{Records: wire, Next: reply.Next, AtTail: reply.AtTail}, nil
}

func (s *dataService) Tail(ctx context.Context, r *novav1.TailRequest) (*novav1.TailResponse, error) {
	tail, err := s.star.Tail(ctx, nameOf(r.GetStream()))
	if err != nil {
		return nil, statusOf(err)
	}
	return &novav1.TailResponse{Next: tail.Next, LastUs: micros(tail.Last)}, nil
}

type adminService struct {
	novav1.UnimplementedAdminServiceServer
	star peer.Star
}

func (s *adminService) CreateBucket(ctx context.Context, r *novav1.CreateBucketRequest) (*novav1.CreateBucketResponse, error) {
	bucket, err := s.star.CreateBucket(ctx, bucketOf(r.GetBucket()))
	if err != nil {
		return nil, statusOf(err)
	}
	return &novav1.CreateBucketResponse{Bucket: wireBucket(bucket)}, nil
}

func (s *adminService) DescribeBucket(
	ctx context.Context, r *novav1.DescribeBucketRequest,
) (*novav1.DescribeBucketResponse, error) {
	bucket, err := s.star.DescribeBucket(ctx, r.GetName())
	if err != nil {
		return nil, statusOf(err)
	}
	return &novav1.DescribeBucketResponse{Bucket: wireBucket(bucket)}, nil
}

func (s *adminService) ListBuckets(ctx context.Context, r *novav1.ListBucketsRequest) (*novav1.ListBucketsResponse, error) {
	buckets, err := s.star.ListBuckets(ctx, pageOf(r.GetPage()))
	if err != nil {
		return nil, statusOf(err)
	}
	return &novav1.ListBucketsResponse{Buckets: mapped(buckets, wireBucket)}, nil
}

func (s *adminService) CreateStream(ctx context.Context, r *novav1.CreateStreamRequest) (*novav1.CreateStreamResponse, error) {
	stream, err := s.star.CreateStream(ctx, peer.CreateStreamRequest{
		Stream: nameOf(r.GetStream()), Mode: modeOf(r.GetMode()), Class: classOf(r.GetClass()),
	})
	if err != nil {
		return nil, statusOf(err)
	}
	return &novav1.CreateStreamResponse{Stream: wireStream(stream)}, nil
}

func (s *adminService) DescribeStream(
	ctx context.Context, r *novav1.DescribeStreamRequest,
) (*novav1.DescribeStreamResponse, error) {
	info, err := s.star.DescribeStream(ctx, nameOf(r.GetStream()))
	if err != nil {
		return nil, statusOf(err)
	}
	return &novav1.DescribeStreamResponse{Info: wireInfo(info)}, nil
}

func (s *adminService) ListStreams(ctx context.Context, r *novav1.ListStreamsRequest) (*novav1.ListStreamsResponse, error) {
	streams, err := s.star.ListStreams(ctx, r.GetBucket(), pageOf(r.GetPage()))
	if err != nil {
		return nil, statusOf(err)
	}
	return &novav1.ListStreamsResponse{Streams: mapped(streams, wireStream)}, nil
}

func (s *adminService) DeleteStream(ctx context.Context, r *novav1.DeleteStreamRequest) (*novav1.DeleteStreamResponse, error) {
	if err := s.star.DeleteStream(ctx, nameOf(r.GetStream())); err != nil {
		return nil, statusOf(err)
	}
	return &novav1.DeleteStreamResponse{}, nil
}

type nodeService struct {
	novav1.UnimplementedNodeServiceServer
	star peer.Star
}

func (s *nodeService) Health(ctx context.Context, _ *novav1.HealthRequest) (*novav1.HealthResponse, error) {
	health, err := s.star.Health(ctx)
	if err != nil {
		return nil, statusOf(err)
	}
	return wireHealth(health), nil
}

func (s *nodeService) Fleet(ctx context.Context, _ *novav1.FleetRequest) (*novav1.FleetResponse, error) {
	stars, err := s.star.Fleet(ctx)
	if err != nil {
		return nil, statusOf(err)
	}
	return &novav1.FleetResponse{Stars: mapped(stars, wireFleetStar)}, nil
}

type peerService struct {
	novav1.UnimplementedPeerServiceServer
	star peer.Star
}

func (s *peerService) Certify(ctx context.Context, r *novav1.CertifyRequest) (*novav1.CertifyResponse, error) {
	reply, err := s.star.Certify(ctx, peer.CertifyRequest{
		StreamID: r.GetStreamId(), StreamEpoch: r.GetStreamEpoch(), ChainEpoch: r.GetChainEpoch(),
	})
	if err != nil {
		return nil, statusOf(err)
	}
	return &novav1.CertifyResponse{Verdict: novav1.CertifyResponse_Verdict(reply.Verdict)}, nil
}
