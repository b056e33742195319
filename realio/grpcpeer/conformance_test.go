package grpcpeer

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/runtime"
)

// The suite goes over loopback, and through the wrappers by which the core calls and is called.
func TestConformance(t *testing.T) {
	for _, c := range iotest.Peer() {
		t.Run(c.Name, func(t *testing.T) {
			r, n := runtime.New(runtime.Config{}), newLoopback(t)
			err := r.Do(r.Context(), "case", func(ctx context.Context) {
				c.Run(iotest.PeerHarness{
					Harness: iotest.Harness{T: t, Ctx: ctx, Run: r}, Home: r,
					Listen:      func(star peer.Star) { n.listen(t, r.Serve(star)) },
					Remote:      r.Network(n.network).Dial(n.addr),
					Kill:        func() { n.server.Cut() },
					WindowBytes: streamWindow + 4*(128<<10), // what the star received, and what is encoded
				})
			})
			if err != nil {
				t.Fatal(err)
			}
			n.end(t)
			if err := r.Stop(time.Minute); err != nil {
				t.Error(err)
			}
		})
	}
}

// loopback is an address, with a network to reach it and a server to answer there.
type loopback struct {
	addr    string
	network *Network
	server  *Server
	served  chan error
}

func newLoopback(t *testing.T) *loopback {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return &loopback{addr: listener.Addr().String(), network: NewNetwork(nil), served: make(chan error, 1)}
}

func (l *loopback) listen(t *testing.T, star peer.Star) {
	listener, err := net.Listen("tcp", l.addr)
	if err != nil {
		t.Fatal(err)
	}
	l.server = NewServer(star)
	go func() { l.served <- l.server.Serve(listener) }()
}

func (l *loopback) end(t *testing.T) {
	if err := l.network.Close(); err != nil {
		t.Error(err)
	}
	if l.server == nil {
		return
	}
	l.server.Stop(canceled())
	if err := <-l.served; err != nil {
		t.Errorf("serve: %v", err)
	}
}
