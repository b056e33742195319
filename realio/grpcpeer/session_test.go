package grpcpeer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

func TestAnOpenCarriesEveryField(t *testing.T) {
	session := openDoor()
	session.opened = peer.Opened{StreamID: "abc", Star: "star-1", Addr: "a:1", Epoch: 2, Token: 3, Mode: peer.ModeFenced, Next: 4}
	var asked peer.OpenRequest
	w := newWorld(t, &fakeStar{open: func(_ context.Context, q peer.OpenRequest) (peer.Session, error) {
		asked = q
		return session, nil
	}})
	want := peer.OpenRequest{Stream: app, Create: true, Token: 9}
	got := w.open(t, want).Opened()
	if asked != want || got != session.opened {
		t.Errorf("asked %+v, opened %+v", asked, got)
	}
}

func TestARefusedOpenSaysWhy(t *testing.T) {
	w := newWorld(t, &fakeStar{open: func(context.Context, peer.OpenRequest) (peer.Session, error) {
		return nil, fullError(peer.NotOwner)
	}})
	_, err := w.client.OpenSession(t.Context(), peer.OpenRequest{Stream: app})
	if !reflect.DeepEqual(err, error(fullError(peer.NotOwner))) {
		t.Errorf("got %#v", err)
	}
}

func TestASessionIsPipelinedAndInOrder(t *testing.T) {
	const batches = 100
	synctest.Test(t, func(t *testing.T) {
		star := newFakeSession()
		close(star.admit)
		w := newWorld(t, starOf(star))
		session := w.open(t, peer.OpenRequest{Stream: app})
		for i := range batches {
			b := batch(fmt.Sprint("a", i), fmt.Sprint("b", i))
			b.Records[0].Headers = []peer.Header{{Name: []byte("n"), Value: []byte("v")}}
			if i == 50 {
				b.MatchSeq = new(uint64)
			}
			if err := session.Send(t.Context(), b); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait() // every batch is with the star, and none is answered
		if got := star.takes(); got != batches {
			t.Fatalf("the star took %d batches", got)
		}
		close(star.decide)
		want := uint64(0)
		for i := range batches {
			ack, err := session.Recv(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if i == 50 {
				if ack.Err == nil || ack.Err.Code != peer.MatchFailed || ack.Err.Tail != want {
					t.Errorf("ack %d: %+v", i, ack)
				}
				continue
			}
			if ack != (peer.Ack{First: want, Next: want + 2}) {
				t.Errorf("ack %d: %+v", i, ack)
			}
			want += 2
		}
		got := star.taken[7]
		if string(got.Records[1].Body) != "b7" || string(got.Records[0].Headers[0].Name) != "n" || got.MatchSeq != nil {
			t.Errorf("batch 7 arrived as %+v", got)
		}
		if got := star.taken[50].MatchSeq; got == nil || *got != 0 {
			t.Errorf("match seq of batch 50 arrived as %v", got)
		}
	})
}

func TestAFullWindowHoldsTheClient(t *testing.T) {
	const size, batches = 128 << 10, 100
	synctest.Test(t, func(t *testing.T) {
		star := newFakeSession()
		close(star.decide)
		w := newWorld(t, starOf(star))
		session := w.open(t, peer.OpenRequest{Stream: app})
		sent := make(chan struct{}, batches)
		go func() {
			for range batches {
				if err := session.Send(t.Context(), peer.Batch{Records: []peer.Record{{Body: make([]byte, size)}}}); err != nil {
					t.Error(err)
				}
				sent <- struct{}{}
			}
		}()
		synctest.Wait()
		if held := len(sent) * size; held > streamWindow+4*size {
			t.Errorf("with its window full the star let %d bytes come", held)
		}
		if got := star.takes(); got != 0 {
			t.Errorf("the star took %d batches", got)
		}
		close(star.admit)
		for range batches {
			if _, err := session.Recv(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

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

func TestTheOpensContextBoundsTheOpenAlone(t *testing.T) {
	w := newWorld(t, starOf(openDoor()))
	ctx, cancel := context.WithCancel(t.Context())
	session, err := w.client.OpenSession(ctx, peer.OpenRequest{Stream: app})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := session.Send(t.Context(), batch("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := session.Recv(t.Context()); err != nil {
		t.Error(err)
	}

	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	stuck := newWorld(t, &fakeStar{open: func(ctx context.Context, _ peer.OpenRequest) (peer.Session, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	if _, err := stuck.client.OpenSession(ctx, peer.OpenRequest{Stream: app}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
