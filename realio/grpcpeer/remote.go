package grpcpeer

import (
	"context"
	"strconv"
	"unicode/utf8"

	"google.golang.org/grpc"
	grpcpeer "google.golang.org/grpc/peer"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

// remote is a star at an address.
type remote struct {
	addr  string
	conn  *grpc.ClientConn
	data  novav1.DataServiceClient
	admin novav1.AdminServiceClient
	node  novav1.NodeServiceClient
	peers novav1.PeerServiceClient
}

var _ peer.Star = (*remote)(nil)

func newRemote(addr string, conn *grpc.ClientConn) *remote {
	return &remote{
		addr: addr, conn: conn, data: novav1.NewDataServiceClient(conn), admin: novav1.NewAdminServiceClient(conn),
		node: novav1.NewNodeServiceClient(conn), peers: novav1.NewPeerServiceClient(conn),
	}
}

// method is a unary call of a generated client.
type method[Q, R any] func(context.Context, *Q, ...grpc.CallOption) (*R, error)

// call carries one unary call. texts are the caller's own words in the request: protobuf strings must be valid UTF-8.
func call[Q, R any](ctx context.Context, r *remote, m method[Q, R], request *Q, texts ...string) (*R, error) {
	if err := checkTexts(texts...); err != nil {
		return nil, err
	}
	var server grpcpeer.Peer // filled in once the request was handed to a connection
	response, err := m(ctx, request, grpc.Peer(&server))
	if err != nil {
		return nil, failure(ctx, err, r.addr, server.Addr != nil)
	}
	return response, nil
}

func checkTexts(texts ...string) error {
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return &peer.Error{Code: peer.Invalid, What: "name " + strconv.Quote(text), Reason: "it must be valid UTF-8"}
		}
	}
	return nil
}

func (r *remote) Fetch(ctx context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
	request := &novav1.FetchRequest{
		Stream: wireName(q.Stream), From: q.From, MaxCount: count(q.MaxCount), MaxBytes: count(q.MaxBytes),
		Linearizable: q.Linearizable,
	}
	if q.Wait > 0 {
		request.Wait = durationpb.New(q.Wait)
	}
	w, err := call(ctx, r, r.data.Fetch, request, q.Stream.Bucket, q.Stream.Key)
	if err != nil {
		return peer.FetchReply{}, err
	}
	return peer.FetchReply{Records: recordsOf(w.GetRecords()), Next: w.GetNext(), AtTail: w.GetAtTail()}, nil
}

func (r *remote) Tail(ctx context.Context, n peer.StreamName) (peer.TailReply, error) {
	w, err := call(ctx, r, r.data.Tail, &novav1.TailRequest{Stream: wireName(n)}, n.Bucket, n.Key)
	if err != nil {
		return peer.TailReply{}, err
	}
	return peer.TailReply{Next: w.GetNext(), Last: stamp(w.GetLastUs())}, nil
}

func (r *remote) CreateBucket(ctx context.Context, b peer.Bucket) (peer.Bucket, error) {
	w, err := call(ctx, r, r.admin.CreateBucket, &novav1.CreateBucketRequest{Bucket: wireBucket(b)}, b.Name)
	if err != nil {
		return peer.Bucket{}, err
	}
	return bucketOf(w.GetBucket()), nil
}

func (r *remote) DescribeBucket(ctx context.Context, name string) (peer.Bucket, error) {
	w, err := call(ctx, r, r.admin.DescribeBucket, &novav1.DescribeBucketRequest{Name: name}, name)
	if err != nil {
		return peer.Bucket{}, err
	}
	return bucketOf(w.GetBucket()), nil
}

func (r *remote) ListBuckets(ctx context.Context, p peer.Page) ([]peer.Bucket, error) {
	w, err := call(ctx, r, r.admin.ListBuckets, &novav1.ListBucketsRequest{Page: wirePage(p)}, p.Prefix, p.After)
	if err != nil {
		return nil, err
	}
	return mapped(w.GetBuckets(), bucketOf), nil
}

func (r *remote) CreateStream(ctx context.Context, q peer.CreateStreamRequest) (peer.Stream, error) {
	request := &novav1.CreateStreamRequest{Stream: wireName(q.Stream), Mode: wireMode(q.Mode), Class: wireClass(q.Class)}
	w, err := call(ctx, r, r.admin.CreateStream, request, q.Stream.Bucket, q.Stream.Key)
	if err != nil {
		return peer.Stream{}, err
	}
	return streamOf(w.GetStream()), nil
}

func (r *remote) DescribeStream(ctx context.Context, n peer.StreamName) (peer.StreamInfo, error) {
	w, err := call(ctx, r, r.admin.DescribeStream, &novav1.DescribeStreamRequest{Stream: wireName(n)}, n.Bucket, n.Key)
	if err != nil {
		return peer.StreamInfo{}, err
	}
	return infoFrom(w.GetInfo()), nil
}

func (r *remote) ListStreams(ctx context.Context, bucket string, p peer.Page) ([]peer.Stream, error) {
	request := &novav1.ListStreamsRequest{Bucket: bucket, Page: wirePage(p)}
	w, err := call(ctx, r, r.admin.ListStreams, request, bucket, p.Prefix, p.After)
	if err != nil {
		return nil, err
	}
	return mapped(w.GetStreams(), streamOf), nil
}

func (r *remote) DeleteStream(ctx context.Context, n peer.StreamName) error {
	_, err := call(ctx, r, r.admin.DeleteStream, &novav1.DeleteStreamRequest{Stream: wireName(n)}, n.Bucket, n.Key)
	return err
}

func (r *remote) Certify(ctx context.Context, q peer.CertifyRequest) (peer.CertifyReply, error) {
	request := &novav1.CertifyRequest{StreamId: q.StreamID, StreamEpoch: q.StreamEpoch, ChainEpoch: q.ChainEpoch}
	w, err := call(ctx, r, r.peers.Certify, request, q.StreamID)
	if err != nil {
		return peer.CertifyReply{}, err
	}
	verdict, err := verdictOf(w.GetVerdict())
	return peer.CertifyReply{Verdict: verdict}, err
}

func (r *remote) Health(ctx context.Context) (peer.Health, error) {
	w, err := call(ctx, r, r.node.Health, &novav1.HealthRequest{})
	if err != nil {
		return peer.Health{}, err
	}
	return healthOf(w), nil
}

func (r *remote) Fleet(ctx context.Context) ([]peer.FleetStar, error) {
	w, err := call(ctx, r, r.node.Fleet, &novav1.FleetRequest{})
	if err != nil {
		return nil, err
	}
	return mapped(w.GetStars(), fleetStarOf), nil
}

// verdictOf takes no verdict of a newer version for one it knows.
func verdictOf(w novav1.CertifyResponse_Verdict) (peer.Verdict, error) {
	switch w {
	case novav1.CertifyResponse_VERDICT_CERTIFIED, novav1.CertifyResponse_VERDICT_LEADS, novav1.CertifyResponse_VERDICT_DEPARTING:
		return peer.Verdict(w), nil
	default:
		return 0, &peer.Error{Code: peer.Internal, What: "certify", Reason: "the star answered with an unknown verdict"}
	}
}
