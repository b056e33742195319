package client_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/io/peer"
)

// TestClosed: what is asked of a session or a client that is closed, and what is under way then, ends with just that.
func TestClosed(t *testing.T) {
	addr, stop := serve()
	defer stop()
	for _, mode := range []peer.Mode{peer.ModeAny, peer.ModeFenced} {
		for _, whole := range []bool{false, true} {
			closed(t, addr, peer.Bucket{Name: map[bool]string{true: "client-", false: "session-"}[whole] + mode.String(), Mode: mode, CreateOnOpen: true}, whole)
		}
	}
}

// closed closes a session, or its whole client, while one waits for an outcome.
func closed(t *testing.T, addr string, bucket peer.Bucket, whole bool) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	fleet, err := client.Connect(client.Config{Addrs: []string{addr}})
	check(err)
	_, err = fleet.CreateBucket(ctx, bucket)
	check(err)
	stream := peer.StreamName{Bucket: bucket.Name, Key: "app"}
	s, err := fleet.OpenSession(ctx, peer.OpenRequest{Stream: stream, Create: true})
	check(err)
	waiting, told := make(chan struct{}), make(chan error, 1)
	go func() {
		close(waiting)
		_, err := s.Recv(ctx)
		told <- err
	}()
	<-waiting
	want := "the session is closed"
	if whole {
		want = "the client is closed"
		check(fleet.Close())
	} else {
		check(s.Close(ctx))
	}
	says := func(what string, err error) {
		t.Helper()
		var e *peer.Error
		if !errors.As(err, &e) || e.Reason != want || errors.Is(err, context.Canceled) {
			t.Errorf("%s, %s: %v, want %s", bucket.Name, what, err, want)
		}
	}
	says("a Recv under way", <-told)
	_, err = s.Recv(ctx)
	says("Recv", err)
	says("Send", s.Send(ctx, peer.Batch{Records: []peer.Record{{Body: []byte("x")}}}))
	if err := s.Close(ctx); err != nil {
		t.Errorf("Close again: %v", err)
	}
	if !whole {
		check(fleet.Close())
		return
	}
	_, err = fleet.Tail(ctx, stream)
	says("Tail", err)
	_, err = fleet.OpenSession(ctx, peer.OpenRequest{Stream: stream})
	says("OpenSession", err)
	_, err = fleet.Fleet(ctx)
	says("Fleet", err)
	says("DeleteStream", fleet.DeleteStream(ctx, stream))
	_, err = fleet.Direct(addr).Health(ctx)
	says("Direct", err)
	if err := fleet.Close(); err != nil {
		t.Errorf("Close again: %v", err)
	}
}
