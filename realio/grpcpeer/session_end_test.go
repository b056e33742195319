package grpcpeer

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/novastream/nova/io/peer"
)

func TestAClientThatVanishesClosesItsSession(t *testing.T) {
	for name, vanish := range map[string]func(*world, context.CancelFunc){
		"connection cut":    func(w *world, _ context.CancelFunc) { w.cut() },
		"network closed":    func(w *world, _ context.CancelFunc) { _ = w.net.Close() },
		"send context ends": func(_ *world, cancel context.CancelFunc) { cancel() },
	} {
		for _, window := range []string{"open", "full"} {
			t.Run(name+" with the window "+window, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					star := newFakeSession()
					if window == "open" {
						close(star.admit)
					}
					w := newWorld(t, starOf(star))
					session := w.open(t, peer.OpenRequest{Stream: app})
					ctx, cancel := context.WithCancel(t.Context())
					go func() {
						for session.Send(ctx, batch("x")) == nil {
						}
					}()
					synctest.Wait()
					vanish(w, cancel)
					<-star.gone
					synctest.Wait()
					if star.closes != 1 {
						t.Errorf("closed %d times", star.closes)
					}
					_, err := session.Recv(t.Context())
					if !peer.Is(err, peer.Indeterminate) {
						t.Errorf("got %v", err)
					}
					cancel()
				})
			})
		}
	}
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestAnIdleSessionThatBreaksIsUnavailable(t *testing.T) {
	star := openDoor()
	w := newWorld(t, starOf(star))
	session := w.open(t, peer.OpenRequest{Stream: app})
	if err := session.Send(t.Context(), batch("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := session.Recv(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.cut()
	_, err := session.Recv(t.Context())
	if !peer.Is(err, peer.Unavailable) {
		t.Errorf("recv: got %v", err)
	}
	if err := session.Send(t.Context(), batch("y")); !peer.Is(err, peer.Unavailable) {
		t.Errorf("send: got %v", err)
	}
}

func TestAnswersThatArrivedAreNotTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, starOf(openDoor()))
		session := w.open(t, peer.OpenRequest{Stream: app})
		if err := session.Send(t.Context(), batch("x")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the answer is here, and nobody received it
		w.cut()
		synctest.Wait()
		if err := session.Send(t.Context(), batch("y")); !peer.Is(err, peer.Indeterminate) {
			t.Errorf("send: got %v", err)
		}
		if ack, err := session.Recv(t.Context()); err != nil || ack.Next != 1 {
			t.Errorf("recv: got %v, %v", ack, err)
		}
		if _, err := session.Recv(t.Context()); !peer.Is(err, peer.Unavailable) {
			t.Errorf("recv: got %v", err)
		}
	})
}

func TestStopLetsSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		star := openDoor()
		w := newWorld(t, starOf(star))
		session := w.open(t, peer.OpenRequest{Stream: app})
		stopped := make(chan struct{})
		go func() {
			w.server.Stop(t.Context())
			close(stopped)
		}()
		synctest.Wait()
		if err := session.Send(t.Context(), batch("x")); err != nil {
			t.Fatal(err)
		}
		if _, err := session.Recv(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := session.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		<-stopped
	})
}

func TestACutServerIsIndeterminateToItsClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		star := newFakeSession()
		close(star.admit)
		w := newWorld(t, starOf(star))
		session := w.open(t, peer.OpenRequest{Stream: app})
		if err := session.Send(t.Context(), batch("x")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		w.server.Cut()
		if _, err := session.Recv(t.Context()); !peer.Is(err, peer.Indeterminate) {
			t.Errorf("got %v", err)
		}
		<-star.gone
	})
}
