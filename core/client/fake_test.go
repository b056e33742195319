package client_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
	"github.com/novastream/nova/sim"
)

// script is a world with one client process and stars that answer as a test says.
type script struct {
	testing.TB
	world   *sim.World
	process *sim.Process
	stars   map[string]*fakeStar
	calls   []string // addresses that were called, in order
}

// fakeStar answers the calls that a test gives it.
type fakeStar struct {
	peer.Star
	open func(ctx context.Context, req peer.OpenRequest) (peer.Session, error)
	tail func(ctx context.Context) (peer.TailReply, error)
}

func (s *fakeStar) OpenSession(ctx context.Context, req peer.OpenRequest) (peer.Session, error) {
	return s.open(ctx, req)
}

func (s *fakeStar) Tail(ctx context.Context, _ peer.StreamName) (peer.TailReply, error) {
	return s.tail(ctx)
}

func newScript(t testing.TB, addrs ...string) (*script, *client.Client) {
	w := sim.New(sim.Config{Seed: 1})
	t.Cleanup(w.Close)
	s := &script{TB: t, world: w, process: w.Process("client"), stars: map[string]*fakeStar{}}
	for _, addr := range addrs {
		s.stars[addr] = &fakeStar{}
	}
	c, err := client.New(client.Config{Run: s.process, Network: s, Addrs: addrs})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// Dial counts the calls: each is dialled once.
func (s *script) Dial(addr string) peer.Star {
	s.calls = append(s.calls, addr)
	return s.stars[addr]
}

// play runs a test's task of the client to its end.
func (s *script) play(task func(ctx context.Context)) {
	s.Helper()
	done := false
	s.process.Go("play", func(ctx context.Context) {
		task(ctx)
		done = true
	})
	if err := s.world.RunUntil(time.Hour, func() bool { return done }); err != nil {
		s.Fatal(err)
	}
}

// within is a context that ends after d.
func (s *script) within(ctx context.Context, d time.Duration) context.Context {
	ctx, _ = s.process.WithTimeout(ctx, d)
	return ctx
}

// fakeSession takes batches and answers as told.
type fakeSession struct {
	opened  peer.Opened
	sent    []peer.Batch
	acks    []peer.Ack
	broken  error // told once the acks are
	closed  int
	changed run.Signal
	took    func(peer.Batch) // is told each batch
}

func (s *script) session(opened peer.Opened) *fakeSession {
	return &fakeSession{opened: opened, changed: s.process.NewSignal()}
}

func (f *fakeSession) Opened() peer.Opened { return f.opened }

func (f *fakeSession) Send(_ context.Context, b peer.Batch) error {
	if f.broken != nil && len(f.acks) == 0 {
		return f.broken
	}
	f.sent = append(f.sent, b)
	if f.took != nil {
		f.took(b)
	}
	f.changed.Broadcast()
	return nil
}

func (f *fakeSession) Recv(ctx context.Context) (peer.Ack, error) {
	for len(f.acks) == 0 {
		if f.broken != nil {
			return peer.Ack{}, f.broken
		}
		if err := f.changed.Wait(ctx); err != nil {
			return peer.Ack{}, err
		}
	}
	ack := f.acks[0]
	f.acks = f.acks[1:]
	return ack, nil
}

func (f *fakeSession) Close(context.Context) error {
	f.closed++
	return nil
}

// answer gives the next outcome.
func (f *fakeSession) answer(ack peer.Ack) {
	f.acks = append(f.acks, ack)
	f.changed.Broadcast()
}

// breaks ends the session without an answer.
func (f *fakeSession) breaks(code peer.Code) {
	f.broken = &peer.Error{Code: code, Reason: "as the test says"}
	f.changed.Broadcast()
}

var stream = peer.StreamName{Bucket: "b", Key: "s"}

func refusal(code peer.Code) *peer.Error {
	return &peer.Error{Code: code, Reason: "as the test says"}
}

func redirect(addr string) *peer.Error {
	return &peer.Error{Code: peer.NotOwner, Addr: addr}
}

func batch(n int) peer.Batch { return peer.Batch{Records: make([]peer.Record, n)} }

// opens makes a star give these sessions, one after the other; beyond them it is not to be reached.
func (s *script) opens(addr string, sessions ...*fakeSession) {
	s.stars[addr].open = func(context.Context, peer.OpenRequest) (peer.Session, error) {
		if len(sessions) == 0 {
			return nil, refusal(peer.Unavailable)
		}
		next := sessions[0]
		sessions = sessions[1:]
		return next, nil
	}
}
