package rig

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// maxMessageBytes is what servers of Oxia take in one message.
const maxMessageBytes = 256 << 20

// Relay stands before the servers of an Oxia, for one client. For each server that the client hears of it listens at an
// address of its own, and passes calls on to the server as they come, message by message.
type Relay struct {
	way   func(addr string) (string, error)
	tasks sync.WaitGroup

	mu     sync.Mutex
	byAddr map[string]*relayed // by the server's address
	closed bool
}

// relayed is one server behind the relay.
type relayed struct {
	public string // where the client reaches it
	conn   *grpc.ClientConn
	server *grpc.Server
}

// NewRelay makes a relay. The client reaches what listens at an address by way(addr); nil is that address itself.
func NewRelay(way func(addr string) (string, error)) *Relay {
	if way == nil {
		way = func(addr string) (string, error) { return addr, nil }
	}
	return &Relay{way: way, byAddr: map[string]*relayed{}}
}

// To is the address by which the client reaches a server.
func (r *Relay) To(server string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.byAddr[server]; known != nil {
		return known.public, nil
	}
	if r.closed {
		return "", errors.New("rig: the relay is closed")
	}
	known, err := r.listen(server)
	if err != nil {
		return "", fmt.Errorf("rig: relay to %s: %w", server, err)
	}
	r.byAddr[server] = known
	return known.public, nil
}

// listen begins to relay calls to a server. The caller holds mu.
func (r *Relay) listen(server string) (*relayed, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	known := &relayed{}
	if known.public, err = r.way(listener.Addr().String()); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	// The servers check that they are called by the address they go by: it goes on the wire as it is.
	known.conn, err = grpc.NewClient("passthrough:///"+server,
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy(),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(asItIs{}), grpc.MaxCallRecvMsgSize(maxMessageBytes)),
		grpc.WithConnectParams(grpc.ConnectParams{MinConnectTimeout: time.Second}),
	)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	known.server = grpc.NewServer(
		grpc.ForceServerCodecV2(asItIs{}), grpc.MaxRecvMsgSize(maxMessageBytes),
		grpc.UnknownServiceHandler(func(_ any, call grpc.ServerStream) error { return r.pass(known.conn, call) }),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 5 * time.Second, PermitWithoutStream: true}),
	)
	r.tasks.Go(func() { _ = known.server.Serve(listener) }) // it ends with Close
	return known, nil
}

// Close cuts every call.
func (r *Relay) Close() (err error) {
	r.mu.Lock()
	r.closed = true
	all := r.byAddr
	r.byAddr = map[string]*relayed{}
	r.mu.Unlock()
	for _, known := range all {
		err = errors.Join(err, known.conn.Close())
		known.server.Stop()
	}
	r.tasks.Wait()
	return err
}

// pass carries one call. Whichever side ends it, ends it for both.
func (r *Relay) pass(conn *grpc.ClientConn, call grpc.ServerStream) error {
	method, ok := grpc.MethodFromServerStream(call)
	if !ok {
		return status.Error(codes.Internal, "a call without a method")
	}
	head, _ := metadata.FromIncomingContext(call.Context())
	head = head.Copy()
	head.Delete(":authority") // of the relay
	ctx, cancel := context.WithCancel(metadata.NewOutgoingContext(call.Context(), head))
	defer cancel()
	onward, err := conn.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, method)
	if err != nil {
		return err
	}
	go func() {
		if err := requests(call, onward); err != nil {
			cancel()
		}
	}()
	return r.answers(method, onward, call)
}

// requests passes requests on until the client has no more.
func requests(call grpc.ServerStream, onward grpc.ClientStream) error {
	for {
		var m message
		switch err := call.RecvMsg(&m); {
		case errors.Is(err, io.EOF):
			return onward.CloseSend()
		case err != nil:
			return err
		}
		if err := onward.SendMsg(&m); errors.Is(err, io.EOF) {
			return nil // the server has ended the call: its answers say how
		} else if err != nil {
			return err
		}
	}
}

// answers passes answers back until the server has no more.
func (r *Relay) answers(method string, onward grpc.ClientStream, call grpc.ServerStream) error {
	if head, err := onward.Header(); err == nil {
		if err := call.SendHeader(head); err != nil {
			return err
		}
	}
	for {
		var m message
		switch err := onward.RecvMsg(&m); {
		case errors.Is(err, io.EOF):
			call.SetTrailer(onward.Trailer())
			return nil
		case err != nil:
			return r.readdressedError(err)
		}
		if err := r.readdress(method, &m); err != nil {
			return status.Error(codes.Internal, err.Error())
		}
		if err := call.SendMsg(&m); err != nil {
			return err
		}
	}
}
