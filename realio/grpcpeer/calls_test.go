package grpcpeer

import (
	"context"
	"reflect"
	"testing"
	"time"

	"google.golang.org/grpc"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"

	"github.com/novastream/nova/io/peer"
)

// echo answers each call with fixed values and keeps what it was asked.
type echo struct {
	asked any
	reply any
}

func answer[R any](e *echo, asked any) (R, error) {
	e.asked = asked
	return e.reply.(R), nil
}

func (e *echo) OpenSession(context.Context, peer.OpenRequest) (peer.Session, error) {
	panic("not asked")
}
func (e *echo) Fetch(_ context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
	return answer[peer.FetchReply](e, q)
}

func (e *echo) Tail(_ context.Context, n peer.StreamName) (peer.TailReply, error) {
	return answer[peer.TailReply](e, n)
}

func (e *echo) CreateBucket(_ context.Context, b peer.Bucket) (peer.Bucket, error) {
	return answer[peer.Bucket](e, b)
}

func (e *echo) DescribeBucket(_ context.Context, name string) (peer.Bucket, error) {
	return answer[peer.Bucket](e, name)
}

func (e *echo) ListBuckets(_ context.Context, p peer.Page) ([]peer.Bucket, error) {
	return answer[[]peer.Bucket](e, p)
}

func (e *echo) CreateStream(_ context.Context, q peer.CreateStreamRequest) (peer.Stream, error) {
	return answer[peer.Stream](e, q)
}

func (e *echo) DescribeStream(_ context.Context, n peer.StreamName) (peer.StreamInfo, error) {
	return answer[peer.StreamInfo](e, n)
}

func (e *echo) ListStreams(_ context.Context, bucket string, p peer.Page) ([]peer.Stream, error) {
	return answer[[]peer.Stream](e, []any{bucket, p})
}

func (e *echo) DeleteStream(_ context.Context, n peer.StreamName) error {
	e.asked = n
	return nil
}

func (e *echo) Certify(_ context.Context, q peer.CertifyRequest) (peer.CertifyReply, error) {
	return answer[peer.CertifyReply](e, q)
}

func (e *echo) Health(context.Context) (peer.Health, error) { return answer[peer.Health](e, nil) }

func (e *echo) Fleet(context.Context) ([]peer.FleetStar, error) {
	return answer[[]peer.FleetStar](e, nil)
}

func TestEveryCallCarriesEveryField(t *testing.T) {
	stamp := time.UnixMicro(1_700_000_000_000_001).UTC()
	bucket := peer.Bucket{Name: "logs", Mode: peer.ModeFenced, Class: peer.ClassExpress, CreateOnOpen: true, Created: stamp}
	stream := peer.Stream{Name: app, ID: "abc", Mode: peer.ModeAny, Class: peer.ClassStandard, Created: stamp}
	info := peer.StreamInfo{Stream: stream, Leader: "star-1", LeaderAddr: "a:1", Epoch: 3, RefsTail: 1 << 40, Rows: 12}
	page := peer.Page{Prefix: "a/", After: "a/b", Limit: 10}
	fetch := peer.FetchRequest{Stream: app, From: 1 << 40, MaxCount: 7, MaxBytes: 9, Wait: time.Second, Linearizable: true}
	create := peer.CreateStreamRequest{Stream: app, Mode: peer.ModeFenced, Class: peer.ClassExpress}
	certify := peer.CertifyRequest{StreamID: "abc", StreamEpoch: 4, ChainEpoch: 5}
	record := peer.Record{
		Seq: 8, Timestamp: stamp, Body: []byte("body"),
		Headers: []peer.Header{{Name: []byte("n\xff"), Value: []byte("v")}, {Name: []byte("m"), Value: []byte("w")}},
	}
	health := peer.Health{
		Status: "draining", Star: "star-1", Location: "zone-a", Version: "v1", Leading: 3, Limbo: 1, Drained: true, Warnings: []string{"w"},
	}
	fleet := []peer.FleetStar{{Star: "star-1", Location: "z", Addr: "a:1", Draining: true, Saturated: true, Leading: 9}}

	e := &echo{}
	w := newWorld(t, e)
	for name, c := range map[string]struct {
		asked, reply any
		call         func(context.Context) (any, error)
	}{
		"fetch": {fetch, peer.FetchReply{Records: []peer.Record{record, {Seq: 9, Body: []byte("x")}}, Next: 10, AtTail: true},
			func(ctx context.Context) (any, error) { return w.client.Fetch(ctx, fetch) }},
		"tail": {app, peer.TailReply{Next: 5, Last: stamp},
			func(ctx context.Context) (any, error) { return w.client.Tail(ctx, app) }},
		"tail of an empty stream": {app, peer.TailReply{},
			func(ctx context.Context) (any, error) { return w.client.Tail(ctx, app) }},
		"create bucket": {bucket, bucket,
			func(ctx context.Context) (any, error) { return w.client.CreateBucket(ctx, bucket) }},
		"describe bucket": {"logs", bucket,
			func(ctx context.Context) (any, error) { return w.client.DescribeBucket(ctx, "logs") }},
		"list buckets": {page, []peer.Bucket{bucket, {Name: "plain"}},
			func(ctx context.Context) (any, error) { return w.client.ListBuckets(ctx, page) }},
		"create stream": {create, stream,
			func(ctx context.Context) (any, error) { return w.client.CreateStream(ctx, create) }},
		"describe stream": {app, info,
			func(ctx context.Context) (any, error) { return w.client.DescribeStream(ctx, app) }},
		"list streams": {[]any{"logs", page}, []peer.Stream{stream},
			func(ctx context.Context) (any, error) { return w.client.ListStreams(ctx, "logs", page) }},
		"delete stream": {app, nil,
			func(ctx context.Context) (any, error) { return nil, w.client.DeleteStream(ctx, app) }},
		"certify": {certify, peer.CertifyReply{Verdict: peer.Departing},
			func(ctx context.Context) (any, error) { return w.client.Certify(ctx, certify) }},
		"health": {nil, health,
			func(ctx context.Context) (any, error) { return w.client.Health(ctx) }},
		"fleet": {nil, fleet,
			func(ctx context.Context) (any, error) { return w.client.Fleet(ctx) }},
	} {
		t.Run(name, func(t *testing.T) {
			e.asked, e.reply = nil, c.reply
			got, err := c.call(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(e.asked, c.asked) {
				t.Errorf("the star was asked %+v, want %+v", e.asked, c.asked)
			}
			if !reflect.DeepEqual(got, c.reply) {
				t.Errorf("got %+v, want %+v", got, c.reply)
			}
		})
	}
}

func TestAFetchIsBounded(t *testing.T) {
	e := &echo{reply: peer.FetchReply{}}
	w := newWorld(t, e)
	if _, err := w.client.Fetch(t.Context(), peer.FetchRequest{Stream: app, MaxCount: 1 << 30, MaxBytes: 1 << 30, Wait: time.Hour}); err != nil {
		t.Fatal(err)
	}
	want := peer.FetchRequest{Stream: app, MaxCount: maxFetchCount, MaxBytes: maxFetchBytes, Wait: maxFetchWait}
	if e.asked != want {
		t.Errorf("the star was asked %+v, want %+v", e.asked, want)
	}
}

func TestAReplyTooLargeToTravelIsCut(t *testing.T) {
	reply := peer.FetchReply{Next: 30, AtTail: true}
	for seq := uint64(10); seq < 30; seq++ {
		reply.Records = append(reply.Records, peer.Record{Seq: seq, Body: make([]byte, 1<<20)})
	}
	w := newWorld(t, &echo{reply: reply})
	got, err := w.client.Fetch(t.Context(), peer.FetchRequest{Stream: app, From: 10})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Records) != 7 || got.Next != 17 || got.AtTail {
		t.Errorf("got %d records, next %d, at tail %v", len(got.Records), got.Next, got.AtTail)
	}
}

func TestANameThatIsNotUTF8IsRefusedWithoutACall(t *testing.T) {
	w := newWorld(t, &echo{})
	bad := peer.StreamName{Bucket: "logs", Key: "\xff"}
	_, errTail := w.client.Tail(t.Context(), bad)
	_, errOpen := w.client.OpenSession(t.Context(), peer.OpenRequest{Stream: bad})
	_, errList := w.client.ListBuckets(t.Context(), peer.Page{Prefix: "\xff"})
	for _, err := range []error{errTail, errOpen, errList} {
		if !peer.Is(err, peer.Invalid) {
			t.Errorf("got %v", err)
		}
	}
}

func TestHealthAndReflectionAreServed(t *testing.T) {
	w := newWorld(t, &echo{})
	checker := healthv1.NewHealthClient(w.raw)
	for _, want := range []healthv1.HealthCheckResponse_ServingStatus{
		healthv1.HealthCheckResponse_SERVING, healthv1.HealthCheckResponse_NOT_SERVING,
	} {
		got, err := checker.Check(t.Context(), &healthv1.HealthCheckRequest{})
		if err != nil || got.GetStatus() != want {
			t.Errorf("got %v, %v; want %v", got.GetStatus(), err, want)
		}
		w.server.NotServing()
	}
	if got := services(t, w.raw); len(got) != 7 {
		t.Errorf("services %v", got)
	}
}

func services(t *testing.T, conn *grpc.ClientConn) (names []string) {
	stream, err := reflectionv1.NewServerReflectionClient(conn).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	request := &reflectionv1.ServerReflectionRequest{MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{}}
	if err := stream.Send(request); err != nil {
		t.Fatal(err)
	}
	response, err := stream.Recv()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range response.GetListServicesResponse().GetService() {
		names = append(names, s.GetName())
	}
	return names
}
