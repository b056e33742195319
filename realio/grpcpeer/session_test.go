package grpcpeer

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

func TestUnansweredBatchesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		star := newFakeSession()
		close(star.admit)
		w := newWorld(t, starOf(star))
		session := w.open(t, peer.OpenRequest{Stream: app})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for session.Send(ctx, batch("x")) == nil {
			}
		}()
		synctest.Wait()
		if got := star.takes(); got > maxUnanswered+2 {
			t.Errorf("the star holds %d unanswered batches", got)
		}
		cancel()
		<-star.gone
	})
}

func TestABatchThatCannotTravelIsRefusedInItsPlace(t *testing.T) {
	star := openDoor()
	w := newWorld(t, starOf(star))
	session := w.open(t, peer.OpenRequest{Stream: app})
	huge := peer.Batch{Records: []peer.Record{{Body: make([]byte, MaxMessageBytes)}}}
	for _, b := range []peer.Batch{batch("x"), huge, batch("y"), huge} {
		if err := session.Send(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"", "too-large", "", "too-large"} {
		ack, err := session.Recv(t.Context())
		got := ""
		if ack.Err != nil {
			got = ack.Err.Code.String()
		}
		if err != nil || got != want {
			t.Errorf("answer %d: %q, %v; want %q", i, got, err, want)
		}
	}
	if star.takes() != 2 {
		t.Errorf("the star took %d batches", star.takes())
	}
}

func TestAMessageOverTheLimitEndsItsSessionAlone(t *testing.T) {
	star := openDoor()
	w := newWorld(t, starOf(star))
	stream, err := novav1.NewDataServiceClient(w.raw).Append(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	huge := &novav1.Batch{Records: []*novav1.Record{{Body: bytes.Repeat([]byte("x"), MaxMessageBytes)}}}
	for _, r := range []*novav1.AppendRequest{
		{Request: &novav1.AppendRequest_Open{Open: &novav1.Open{}}}, {Request: &novav1.AppendRequest_Batch{Batch: huge}},
	} {
		if err := stream.Send(r); err != nil {
			t.Fatal(err)
		}
	}
	for err == nil {
		_, err = stream.Recv()
	}
	if status.Code(err) != codes.ResourceExhausted {
		t.Errorf("got %v", err)
	}
	<-star.gone
}

func TestRequestsOutOfPlaceAreRefused(t *testing.T) {
	openRequest := &novav1.AppendRequest{Request: &novav1.AppendRequest_Open{Open: &novav1.Open{}}}
	batchRequest := &novav1.AppendRequest{Request: &novav1.AppendRequest_Batch{Batch: &novav1.Batch{}}}
	for name, requests := range map[string][]*novav1.AppendRequest{
		"a batch first": {batchRequest},
		"nothing first": {{}},
		"two opens":     {openRequest, openRequest},
	} {
		w := newWorld(t, starOf(openDoor()))
		stream, err := novav1.NewDataServiceClient(w.raw).Append(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range requests {
			_ = stream.Send(r) // it may be refused already
		}
		for err == nil {
			_, err = stream.Recv()
		}
		if status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
