package grpcpeer

import (
	"context"
	"errors"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

// Server serves a star over gRPC, with the health and reflection services beside it.
type Server struct {
	grpc   *grpc.Server
	health *health.Server
}

// NewServer makes a server of the star, which must be safe for use by many goroutines.
func NewServer(star peer.Star) *Server {
	s := &Server{grpc: grpc.NewServer(serverOptions()...), health: health.NewServer()}
	novav1.RegisterDataServiceServer(s.grpc, &dataService{star: star})
	novav1.RegisterAdminServiceServer(s.grpc, &adminService{star: star})
	novav1.RegisterNodeServiceServer(s.grpc, &nodeService{star: star})
	novav1.RegisterPeerServiceServer(s.grpc, &peerService{star: star})
	healthv1.RegisterHealthServer(s.grpc, s.health)
	reflection.Register(s.grpc)
	return s
}

// Serve answers calls on the listener until Stop or Cut. It returns nil after one of them, else why it ended.
func (s *Server) Serve(listener net.Listener) error {
	if err := s.grpc.Serve(listener); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return err
	}
	return nil
}

// NotServing turns the health service to NOT_SERVING for good; calls are answered still.
func (s *Server) NotServing() { s.health.Shutdown() }

// Stop refuses new calls, lets those under way end until ctx ends, and then cuts what is left.
func (s *Server) Stop(ctx context.Context) {
	s.NotServing()
	ended := make(chan struct{})
	go func() {
		s.grpc.GracefulStop()
		close(ended)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		s.grpc.Stop()
		<-ended
	}
}

// Cut breaks every connection at once, as the death of the process would. Calls that the star does not end go on there.
func (s *Server) Cut() { s.grpc.Stop() }
