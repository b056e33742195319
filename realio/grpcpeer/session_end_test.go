package grpcpeer

import (
	"context"
	"io"
	"testing"
	"testing/synctest"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
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

// answers is the wire of a call that is over, with answers on it that nobody took off yet.
type answers struct {
	novav1.DataService_AppendClient
	ctx  context.Context
	next uint64
}

func (a *answers) Context() context.Context { return a.ctx }

func (a *answers) Recv() (*novav1.AppendResponse, error) {
	if a.next == 100 {
		return nil, io.EOF
	}
	a.next++
	ack := &novav1.Ack{First: a.next - 1, Next: a.next}
	return &novav1.AppendResponse{Response: &novav1.AppendResponse_Ack{Ack: ack}}, nil
}

// TestNoAnswerIsSkipped: the end of a call drops answers, and the caller counts them. Those it gets are the first ones.
func TestNoAnswerIsSkipped(t *testing.T) {
	s := &session{
		stream: &answers{ctx: canceled()}, cancel: func() {}, acks: make(chan peer.Ack, 64),
		closed: make(chan struct{}), ended: make(chan struct{}), sent: 100,
	}
	s.listen()
	for got := uint64(0); ; got++ {
		ack, err := s.Recv(t.Context())
		if err != nil {
			if !peer.Is(err, peer.Indeterminate) {
				t.Errorf("the others ended with %v", err)
			}
			return
		}
		if ack.First != got {
			t.Fatalf("answer %d is that of batch %d", got, ack.First)
		}
	}
}

// TestCloseBesideASend: the call takes one sender at a time, and a Send that waits for a full window holds up no Close.
func TestCloseBesideASend(t *testing.T) {
	for _, window := range []string{"open", "full"} {
		synctest.Test(t, func(t *testing.T) {
			star := newFakeSession()
			if window == "open" {
				close(star.admit)
			}
			w := newWorld(t, starOf(star))
			session := w.open(t, peer.OpenRequest{Stream: app})
			started, sent := make(chan struct{}), make(chan error, 1)
			go func() {
				close(started)
				for err := error(nil); ; err = session.Send(t.Context(), batch("x")) {
					if err != nil {
						sent <- err
						return
					}
				}
			}()
			<-started
			if window == "full" {
				synctest.Wait()
			}
			_ = session.Close(t.Context())
			if err := <-sent; !peer.Is(err, peer.Indeterminate) && !peer.Is(err, peer.Unavailable) {
				t.Errorf("window %s: the send ended with %v", window, err)
			}
		})
	}
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
