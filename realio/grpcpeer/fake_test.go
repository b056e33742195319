package grpcpeer

import (
	"context"
	"net"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"github.com/novastream/nova/io/peer"
)

// fakeStar answers every call from one function per method; a method without one panics, and so fails its test.
type fakeStar struct {
	peer.Star // nil: for the methods that a test does not set

	open   func(context.Context, peer.OpenRequest) (peer.Session, error)
	fetch  func(context.Context, peer.FetchRequest) (peer.FetchReply, error)
	health func(context.Context) (peer.Health, error)
}

func (f *fakeStar) OpenSession(ctx context.Context, q peer.OpenRequest) (peer.Session, error) {
	return f.open(ctx, q)
}

func (f *fakeStar) Fetch(ctx context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
	return f.fetch(ctx, q)
}

func (f *fakeStar) Health(ctx context.Context) (peer.Health, error) { return f.health(ctx) }

// fakeSession acknowledges what was sent once it is told to: each value on admit lets one Send through, each on decide
// answers one batch. A closed channel lets all through.
type fakeSession struct {
	admit, decide chan struct{}
	opened        peer.Opened

	mu     sync.Mutex
	taken  []peer.Batch
	ready  chan peer.Batch
	next   uint64
	closes int
	gone   chan struct{} // closed by the first Close
}

func newFakeSession() *fakeSession {
	return &fakeSession{
		admit: make(chan struct{}), decide: make(chan struct{}), ready: make(chan peer.Batch, 1<<16), gone: make(chan struct{}),
	}
}

// openDoor is a session that takes and answers everything at once.
func openDoor() *fakeSession {
	s := newFakeSession()
	close(s.admit)
	close(s.decide)
	return s
}

func (s *fakeSession) Opened() peer.Opened { return s.opened }

func (s *fakeSession) Send(ctx context.Context, b peer.Batch) error {
	select {
	case <-s.admit:
	case <-ctx.Done():
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = append(s.taken, b)
	s.ready <- b
	return nil
}

func (s *fakeSession) Recv(ctx context.Context) (peer.Ack, error) {
	select {
	case <-s.decide:
	case <-ctx.Done():
		return peer.Ack{}, ctx.Err()
	}
	select {
	case b := <-s.ready:
		return s.sequence(b), nil
	case <-ctx.Done():
		return peer.Ack{}, ctx.Err()
	}
}

func (s *fakeSession) sequence(b peer.Batch) peer.Ack {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.MatchSeq != nil && *b.MatchSeq != s.next {
		return peer.Ack{Err: &peer.Error{Code: peer.MatchFailed, What: "stream logs/app", Reason: "the tail moved", Tail: s.next}}
	}
	first := s.next
	s.next += uint64(len(b.Records))
	return peer.Ack{First: first, Next: s.next}
}

func (s *fakeSession) Close(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closes++; s.closes == 1 {
		close(s.gone)
	}
	return nil
}

func (s *fakeSession) takes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.taken)
}

// world is one server of a star and one client of it, joined in memory.
type world struct {
	client peer.Star
	raw    *grpc.ClientConn // for what the client does not let through
	server *Server
	net    *Network

	mu    sync.Mutex
	conns []net.Conn // the client's ends
}

func newWorld(t testing.TB, star peer.Star) *world {
	t.Helper()
	w := &world{server: NewServer(star)}
	listener := bufconn.Listen(1 << 20)
	served := make(chan error, 1)
	go func() { served <- w.server.Serve(listener) }()
	dial := func(ctx context.Context, _ string) (net.Conn, error) {
		conn, err := listener.DialContext(ctx)
		if err == nil {
			w.mu.Lock()
			w.conns = append(w.conns, conn)
			w.mu.Unlock()
		}
		return conn, err
	}
	w.net = NewNetwork(dial)
	w.client = w.net.Dial("star-1:7780")
	raw, err := grpc.NewClient("passthrough:///raw", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(dial))
	if err != nil {
		t.Fatal(err)
	}
	w.raw = raw
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_ = w.net.Close()
		_ = raw.Close()
		w.server.Stop(ended)
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return w
}

// cut breaks every connection, as when a machine loses power.
func (w *world) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns {
		_ = c.Close()
	}
}

func (w *world) open(t testing.TB, q peer.OpenRequest) peer.Session {
	t.Helper()
	session, err := w.client.OpenSession(t.Context(), q)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return session
}

func batch(bodies ...string) peer.Batch {
	var b peer.Batch
	for _, body := range bodies {
		b.Records = append(b.Records, peer.Record{Body: []byte(body)})
	}
	return b
}

var app = peer.StreamName{Bucket: "logs", Key: "app"}

func starOf(s peer.Session) *fakeStar {
	return &fakeStar{open: func(context.Context, peer.OpenRequest) (peer.Session, error) { return s, nil }}
}
