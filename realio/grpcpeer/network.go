package grpcpeer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"

	"github.com/novastream/nova/io/peer"
)

// Dialer makes a connection to an address.
type Dialer func(ctx context.Context, addr string) (net.Conn, error)

// Network reaches stars by address. All calls to one address share one connection, made at the first call, and made again
// after it broke.
type Network struct {
	dial Dialer

	mu      sync.Mutex
	remotes map[string]*remote
	closed  bool
}

var _ peer.Network = (*Network)(nil)

// NewNetwork makes a network without connections. A nil dialer is TCP.
func NewNetwork(dial Dialer) *Network {
	if dial == nil {
		dial = func(ctx context.Context, addr string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", addr)
		}
	}
	return &Network{dial: dial, remotes: map[string]*remote{}}
}

// Dial is the star at an address. It never waits: what is wrong with the address shows in the calls.
func (n *Network) Dial(addr string) peer.Star {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r, ok := n.remotes[addr]; ok {
		return r
	}
	r := newRemote(addr, n.connection(addr))
	if n.closed {
		_ = r.conn.Close() // a connection that was never used closes without fail; its calls say that it is closed
		return r
	}
	n.remotes[addr] = r
	return r
}

// connection is one that will be made at its first call. The address is the dialer's alone, so no address can be refused here.
func (n *Network) connection(addr string) *grpc.ClientConn {
	dial := grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return n.dial(ctx, addr) })
	conn, err := grpc.NewClient("passthrough:///nova", append(dialOptions(), dial)...)
	if err != nil {
		panic(fmt.Sprintf("grpcpeer: options that gRPC does not take: %v", err))
	}
	return conn
}

// Close ends every connection and the calls on it.
func (n *Network) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	var errs []error
	for _, r := range n.remotes {
		errs = append(errs, r.conn.Close())
	}
	clear(n.remotes)
	return errors.Join(errs...)
}

func dialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithNoProxy(),
		grpc.WithDefaultCallOptions(
			grpc.MaxCallRecvMsgSize(MaxMessageBytes), grpc.MaxCallSendMsgSize(MaxMessageBytes),
		),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: pingAfter, Timeout: pingTimeout}),
		// A star that restarts is found again within a second or two.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
	}
}
