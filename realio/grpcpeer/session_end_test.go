package grpcpeer

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"

	"github.com/novastream/nova/io/peer"
)

func TestAClientThatVanishesClosesItsSession(t *testing.T) {
	for name, vanish := range map[string]func(*world, peer.Session, context.CancelFunc){
		"connection cut":       func(w *world, _ peer.Session, _ context.CancelFunc) { w.cut() },
		"network closed":       func(w *world, _ peer.Session, _ context.CancelFunc) { _ = w.net.Close() },
		"send context ends":    func(_ *world, _ peer.Session, cancel context.CancelFunc) { cancel() },
		"receive context ends": func(_ *world, s peer.Session, cancel context.CancelFunc) { cancel(); _, _ = s.Recv(canceled()) },
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
					vanish(w, session, cancel)
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

// ending is a session that fails as it is told.
type ending struct {
	*fakeSession
	send, recv error
}

func (e *ending) Send(ctx context.Context, b peer.Batch) error {
	if e.send != nil {
		return e.send
	}
	return e.fakeSession.Send(ctx, b)
}

func (e *ending) Recv(ctx context.Context) (peer.Ack, error) {
	if e.recv != nil {
		return peer.Ack{}, e.recv
	}
	return e.fakeSession.Recv(ctx)
}

func TestTheStarSaysWhyASessionEnds(t *testing.T) {
	for _, c := range everyCode() {
		for name, star := range map[string]*ending{
			"send": {fakeSession: openDoor(), send: fullError(c)},
			"recv": {fakeSession: openDoor(), recv: fullError(c)},
		} {
			w := newWorld(t, starOf(star))
			session := w.open(t, peer.OpenRequest{Stream: app})
			if err := session.Send(t.Context(), batch("x")); err != nil {
				t.Fatal(err)
			}
			_, err := session.Recv(t.Context())
			if !reflect.DeepEqual(err, error(fullError(c))) {
				t.Errorf("%s %v: got %#v", name, c, err)
			}
			<-star.gone
		}
	}
}

func TestCloseWaitsUntilTheHandleIsBack(t *testing.T) {
	star := openDoor()
	w := newWorld(t, starOf(star))
	session := w.open(t, peer.OpenRequest{Stream: app})
	for range 1000 { // unreceived outcomes do not hold a close up
		if err := session.Send(t.Context(), batch("x")); err != nil {
			t.Fatal(err)
		}
	}
	if err := session.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-star.gone:
	default:
		t.Error("the star still has the handle")
	}
	if star.takes() != 1000 {
		t.Errorf("the star took %d batches", star.takes())
	}
	if err := session.Close(t.Context()); err != nil {
		t.Errorf("second close: %v", err)
	}
}

func TestCloseEndsWithItsContext(t *testing.T) {
	star := newFakeSession()
	close(star.admit)
	w := newWorld(t, starOf(star))
	session := w.open(t, peer.OpenRequest{Stream: app})
	if err := session.Send(t.Context(), batch("x")); err != nil {
		t.Fatal(err)
	}
	if err := session.Close(canceled()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	<-star.gone
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
