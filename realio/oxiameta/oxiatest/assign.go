package oxiatest

import (
	"math/rand/v2"

	"google.golang.org/grpc"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// publish makes the assignments as they are now known, unless they are held. The caller does not hold mu.
func (c *Cluster) publish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held {
		return
	}
	for _, ns := range c.namespaces {
		ns.published = c.assignments(ns)
	}
	close(c.changed)
	c.changed = make(chan struct{})
}

// assignments are a namespace's, in random order. The caller holds mu.
func (c *Cluster) assignments(ns *namespace) *oxiav1.NamespaceShardsAssignment {
	all := &oxiav1.NamespaceShardsAssignment{ShardKeyRouter: oxiav1.ShardKeyRouter_SHARD_KEY_ROUTER_XXHASH3}
	for _, s := range ns.shards {
		s.mu.Lock()
		leader := c.addrOf(s.leader)
		for node := range s.ghosts {
			leader = c.addrOf(node)
		}
		s.mu.Unlock()
		all.Assignments = append(all.Assignments, &oxiav1.ShardAssignment{
			Shard: s.id, Leader: leader,
			ShardBoundaries: &oxiav1.ShardAssignment_Int32HashRange{Int32HashRange: &oxiav1.Int32HashRange{
				MinHashInclusive: s.low, MaxHashInclusive: s.high,
			}},
		})
	}
	rand.Shuffle(len(all.Assignments), func(i, j int) {
		all.Assignments[i], all.Assignments[j] = all.Assignments[j], all.Assignments[i]
	})
	return all
}

// GetShardAssignments sends what is published, whole, at once and after every change.
func (n *node) GetShardAssignments(
	req *oxiav1.ShardAssignmentsRequest, stream grpc.ServerStreamingServer[oxiav1.ShardAssignments],
) error {
	name := req.GetNamespace()
	if name == "" {
		name = "default"
	}
	for {
		n.cluster.mu.Lock()
		changed := n.cluster.changed
		ns := n.cluster.namespaces[name]
		var published *oxiav1.NamespaceShardsAssignment
		if ns != nil {
			published = ns.published
		}
		n.cluster.mu.Unlock()
		if ns == nil {
			return n.cluster.fail("NAMESPACE_NOT_FOUND", nil)
		}
		if published == nil {
			return n.cluster.fail("NOT_INITIALIZED", nil)
		}
		err := stream.Send(&oxiav1.ShardAssignments{Namespaces: map[string]*oxiav1.NamespaceShardsAssignment{name: published}})
		if err != nil {
			return err
		}
		select {
		case <-changed:
		case <-stream.Context().Done():
			return nil
		}
	}
}
