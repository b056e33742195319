package oxiatest

import (
	"context"
	"fmt"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// coordinator is what operators speak to.
type coordinator struct {
	oxiav1.UnimplementedOxiaAdminServer
	cluster *Cluster
}

// StartCoordinator lets a coordinator listen, until stop.
func (c *Cluster) StartCoordinator() (addr string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("oxiatest: %w", err)
	}
	server := grpc.NewServer()
	oxiav1.RegisterOxiaAdminServer(server, &coordinator{cluster: c})
	c.tasks.Go(func() { _ = server.Serve(l) }) // it ends with stop
	return l.Addr().String(), server.Stop, nil
}

// CreateNamespace makes a namespace.
func (c *coordinator) CreateNamespace(_ context.Context, req *oxiav1.CreateNamespaceRequest) (*oxiav1.CreateNamespaceResponse, error) {
	ns := req.GetNamespace()
	c.cluster.mu.Lock()
	taken := c.cluster.namespaces[ns.GetName()] != nil
	if !taken {
		c.cluster.addNamespace(Namespace{
			Name: ns.GetName(), Natural: ns.GetKeySorting() == "natural", Shards: int(ns.GetInitialShardCount()),
		})
	}
	c.cluster.mu.Unlock()
	if taken {
		return nil, status.Errorf(codes.AlreadyExists, "namespace %q exists", ns.GetName())
	}
	c.cluster.publish()
	return &oxiav1.CreateNamespaceResponse{Namespace: ns}, nil
}

// DeleteNamespace removes a namespace.
func (c *coordinator) DeleteNamespace(_ context.Context, req *oxiav1.DeleteNamespaceRequest) (*oxiav1.DeleteNamespaceResponse, error) {
	if err := c.cluster.DeleteNamespace(req.GetNamespace()); err != nil {
		return nil, err
	}
	return &oxiav1.DeleteNamespaceResponse{}, nil
}

// DeleteNamespace removes a namespace with all that is in it.
func (c *Cluster) DeleteNamespace(name string) error {
	c.mu.Lock()
	ns := c.namespaces[name]
	delete(c.namespaces, name)
	c.mu.Unlock()
	if ns == nil {
		return c.fail("NAMESPACE_NOT_FOUND", nil)
	}
	for _, s := range ns.shards {
		s.mu.Lock()
		s.gone = true
		s.stopSessions()
		s.endStreams()
		s.mu.Unlock()
	}
	c.publish()
	return nil
}

// GetNamespace describes a namespace.
func (c *coordinator) GetNamespace(_ context.Context, req *oxiav1.GetNamespaceRequest) (*oxiav1.GetNamespaceResponse, error) {
	c.cluster.mu.Lock()
	defer c.cluster.mu.Unlock()
	ns := c.cluster.namespaces[req.GetNamespace()]
	if ns == nil {
		return nil, c.cluster.fail("NAMESPACE_NOT_FOUND", nil)
	}
	view := &oxiav1.Namespace{Name: ns.Name, InitialShardCount: uint32(len(ns.shards)), ReplicationFactor: uint32(len(c.cluster.nodes))}
	return &oxiav1.GetNamespaceResponse{Namespace: &oxiav1.NamespaceView{Namespace: view}}, nil
}

// SplitShard splits a shard in the middle.
func (c *coordinator) SplitShard(_ context.Context, req *oxiav1.SplitShardRequest) (*oxiav1.SplitShardResponse, error) {
	if c.cluster.shard(req.GetShard()) == nil {
		return nil, status.Errorf(codes.Unknown, "no shard %d", req.GetShard())
	}
	left, right := c.cluster.Split(req.GetShard())
	return &oxiav1.SplitShardResponse{LeftChildShard: left, RightChildShard: right}, nil
}
