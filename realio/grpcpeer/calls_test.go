package grpcpeer

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"

	"github.com/novastream/nova/io/peer"
)

func TestAFetchIsBounded(t *testing.T) {
	var asked peer.FetchRequest
	w := newWorld(t, &fakeStar{fetch: func(_ context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
		asked = q
		return peer.FetchReply{}, nil
	}})
	if _, err := w.client.Fetch(t.Context(), peer.FetchRequest{Stream: app, MaxCount: 1 << 30, MaxBytes: 1 << 30, Wait: time.Hour}); err != nil {
		t.Fatal(err)
	}
	want := peer.FetchRequest{Stream: app, MaxCount: maxFetchCount, MaxBytes: maxFetchBytes, Wait: maxFetchWait}
	if asked != want {
		t.Errorf("the star was asked %+v, want %+v", asked, want)
	}
}

func TestAReplyTooLargeToTravelIsCut(t *testing.T) {
	reply := peer.FetchReply{Next: 30, AtTail: true}
	for seq := uint64(10); seq < 30; seq++ {
		reply.Records = append(reply.Records, peer.Record{Seq: seq, Body: make([]byte, 1<<20)})
	}
	w := newWorld(t, &fakeStar{fetch: func(context.Context, peer.FetchRequest) (peer.FetchReply, error) { return reply, nil }})
	got, err := w.client.Fetch(t.Context(), peer.FetchRequest{Stream: app, From: 10})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Records) != 7 || got.Next != 17 || got.AtTail {
		t.Errorf("got %d records, next %d, at tail %v", len(got.Records), got.Next, got.AtTail)
	}
}

func TestANameThatIsNotUTF8IsRefusedWithoutACall(t *testing.T) {
	w := newWorld(t, &fakeStar{})
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
	w := newWorld(t, &fakeStar{})
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
