package oxiameta

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

const (
	// maxMessageBytes holds the largest frame of an answer: records are never split, and gRPC's own limit is 4 MiB.
	maxMessageBytes = 16 << 20
	pingAfter       = 10 * time.Second // servers allow one in 5 s
	pingTimeout     = 5 * time.Second
)

// server is one data server, by the address that the assignments give it.
type server struct {
	addr string // without "tls://"
	conn *grpc.ClientConn
	rpc  oxiav1.OxiaClientClient
}

// servers are the data servers of one service that were ever of use. A connection that nobody uses closes by itself and
// leaves a few bytes.
type servers struct {
	cfg Service

	mu     sync.Mutex
	byAddr map[string]*server
	closed bool
}

func newServers(cfg Service) *servers { return &servers{cfg: cfg, byAddr: map[string]*server{}} }

// bare is an address without the mark of a server that speaks TLS.
func bare(addr string) string { return strings.TrimPrefix(addr, "tls://") }

// at is the server at an address. It does not wait.
func (s *servers) at(addr string) (*server, error) {
	name := bare(addr)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	if srv := s.byAddr[name]; srv != nil {
		return srv, nil
	}
	// The servers check that they are called by the address they go by: it goes on the wire as it is.
	conn, err := grpc.NewClient("passthrough:///"+name, s.options(name != addr)...)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", addr, err)
	}
	srv := &server{addr: name, conn: conn, rpc: oxiav1.NewOxiaClientClient(conn)}
	s.byAddr[name] = srv
	return srv, nil
}

func (s *servers) options(announced bool) []grpc.DialOption {
	creds := insecure.NewCredentials()
	switch {
	case s.cfg.TLS != nil:
		creds = credentials.NewTLS(s.cfg.TLS.Clone())
	case announced:
		creds = credentials.NewTLS(&tls.Config{MinVersion: tls.VersionTLS12})
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(creds),
		grpc.WithNoProxy(),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessageBytes)),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: pingAfter, Timeout: pingTimeout, PermitWithoutStream: true}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.3, MaxDelay: 2 * time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
	}
	if s.cfg.Token != nil {
		options = append(options, grpc.WithPerRPCCredentials(bearer{s.cfg.Token}))
	}
	return options
}

// known are the addresses of all servers so far.
func (s *servers) known() (addrs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for addr := range s.byAddr {
		addrs = append(addrs, addr)
	}
	return addrs
}

func (s *servers) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var errs []error
	for _, srv := range s.byAddr {
		errs = append(errs, srv.conn.Close())
	}
	clear(s.byAddr)
	return errors.Join(errs...)
}

// bearer puts a token on every call.
type bearer struct{ token func() (string, error) }

var _ credentials.PerRPCCredentials = bearer{}

// GetRequestMetadata gives the header.
func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	token, err := b.token()
	if err != nil {
		return nil, fmt.Errorf("token: %w", err)
	}
	return map[string]string{"authorization": "Bearer " + token}, nil
}

// RequireTransportSecurity leaves it to the operator, who may have a secure network.
func (b bearer) RequireTransportSecurity() bool { return false }
