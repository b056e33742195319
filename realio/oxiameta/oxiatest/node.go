package oxiatest

import (
	"context"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
	"github.com/novastream/nova/realio/ports"
)

// maxReceiveBytes is what real servers take in one message.
const maxReceiveBytes = 256 << 20

// node is one server: an address, and what listens there.
type node struct {
	oxiav1.UnimplementedOxiaClientServer
	cluster *Cluster
	index   int
	addr    string // for good, once it has listened

	mu       sync.Mutex
	listener net.Listener
	server   *grpc.Server
	served   sync.WaitGroup
}

// listen takes the node's address; the first time it finds one.
func (n *node) listen() error {
	listen := ports.Listen
	if n.addr != "" {
		listen = func() (net.Listener, error) { return ports.Again(n.addr) }
	}
	l, err := listen()
	if err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.listener = l
	if by := n.cluster.cfg.Latency; by > 0 {
		n.listener = lateListener{l, by}
	}
	if n.addr == "" {
		n.addr = l.Addr().String()
	}
	return nil
}

func (n *node) serve() {
	creds := insecure.NewCredentials()
	if n.cluster.cfg.TLS != nil {
		creds = credentials.NewTLS(n.cluster.cfg.TLS)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.server = grpc.NewServer(
		grpc.Creds(creds), grpc.MaxRecvMsgSize(maxReceiveBytes),
		grpc.UnaryInterceptor(n.unary), grpc.StreamInterceptor(n.stream),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 5 * time.Second, PermitWithoutStream: true}),
	)
	service := oxiav1.OxiaClient_ServiceDesc
	if n.cluster.cfg.OldName {
		service.ServiceName = "io.streamnative.oxia.proto.OxiaClient"
	}
	n.server.RegisterService(&service, n)
	server, listener := n.server, n.listener
	n.served.Go(func() { _ = server.Serve(listener) }) // it ends with stop, which may come first
}

// stop cuts every connection and refuses new ones.
func (n *node) stop() {
	n.mu.Lock()
	server, listener := n.server, n.listener
	n.server = nil
	n.mu.Unlock()
	if server != nil {
		server.Stop()
	} else if listener != nil {
		_ = listener.Close() // it may be closed already
	}
	n.served.Wait()
}

func (n *node) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if err := n.admit(ctx, info.FullMethod); err != nil {
		return nil, err
	}
	return next(ctx, req)
}

func (n *node) stream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) error {
	if err := n.admit(stream.Context(), info.FullMethod); err != nil {
		return err
	}
	return next(srv, stream)
}

// admit checks the token and that the caller dialled a server by the address that it goes by.
func (n *node) admit(ctx context.Context, method string) error {
	md, _ := metadata.FromIncomingContext(ctx)
	method = method[strings.LastIndexByte(method, '/')+1:]
	if method != "WriteStream" { // of which the requests are counted
		n.cluster.count(method)
	}
	if err := n.cluster.refusal(method); err != nil {
		return err
	}
	if token := n.cluster.tokenNow(); token != "" && !slices.Equal(md.Get("authorization"), []string{"Bearer " + token}) {
		return status.Error(codes.Unauthenticated, "bad token")
	}
	authority := strings.Join(md.Get(":authority"), ",")
	if !n.cluster.cfg.AnyAuthority && !slices.Contains(n.cluster.Addresses(), authority) {
		return status.Errorf(codes.PermissionDenied, "authority %q is not allowed", authority)
	}
	return nil
}

// addrOf is the address of a node, as clients are told it.
func (c *Cluster) addrOf(node int) string {
	if node == nobody {
		return ""
	}
	if c.cfg.TLS != nil {
		return "tls://" + c.nodes[node].addr
	}
	return c.nodes[node].addr
}
