package oxiatest

import (
	"slices"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// Write is a write request as hooks see it.
type Write struct {
	Shard    int64
	Node     int
	Request  *oxiav1.WriteRequest
	Response *oxiav1.WriteResponse // nil before it is applied
}

// Read is a Read, List or RangeScan as hooks see it.
type Read struct {
	Method string
	Shard  int64
	Node   int
}

type hooks struct {
	write, applied func(Write) error
	read           func(Read) error
	call           func(method string) error
}

func (c *Cluster) hooksNow() hooks {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hooks
}

// OnWrite sets what sees each write request before it is applied, and may wait. An error ends the request's stream with the
// request not applied. Nil removes the hook.
func (c *Cluster) OnWrite(hook func(Write) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hooks.write = hook
}

// OnApplied sets what sees each write request after it was applied. An error ends the request's stream without its answer.
func (c *Cluster) OnApplied(hook func(Write) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hooks.applied = hook
}

// OnRead sets what sees each read, and may wait or refuse it.
func (c *Cluster) OnRead(hook func(Read) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hooks.read = hook
}

// OnCall sets what sees the method of each call, as "Read", before anything else does. An error is the call's answer. Calls
// under way go on.
func (c *Cluster) OnCall(hook func(method string) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hooks.call = hook
}

func (c *Cluster) refusal(method string) error {
	if hook := c.hooksNow().call; hook != nil {
		return hook(method)
	}
	return nil
}

// SetToken takes another bearer token from now on. Calls under way go on.
func (c *Cluster) SetToken(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.token = token
}

func (c *Cluster) tokenNow() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.token
}

// Fails is the error of a reason, as NAMESPACE_NOT_FOUND, in the encoding of this cluster.
func (c *Cluster) Fails(reason string) error { return c.fail(reason, nil) }

// Break ends every call under way and every connection; the nodes listen on.
func (c *Cluster) Break() error {
	for i := range c.nodes {
		c.StopNode(i)
		if err := c.StartNode(i); err != nil {
			return err
		}
	}
	return nil
}

// HoldAnswers lets writes take effect and keeps their answers, until it is told to release them.
func (c *Cluster) HoldAnswers(hold bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mute != nil {
		close(c.mute)
		c.mute = nil
	}
	if hold {
		c.mute = make(chan struct{})
	}
}

// Canceled is the error that a stream gets when its leader goes.
func Canceled() error { return errClosed }

// SetHints says whether a node that does not lead tells who does. At first it does.
func (c *Cluster) SetHints(on bool) { c.hints.Store(on) }

// HoldAssignments keeps changes of assignments from clients, until it is told to release them.
func (c *Cluster) HoldAssignments(hold bool) {
	c.mu.Lock()
	c.held = hold
	c.mu.Unlock()
	c.publish()
}

// Assignments is what is published of a namespace.
func (c *Cluster) Assignments(namespace string) *oxiav1.NamespaceShardsAssignment {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.namespaces[namespace].published
}

// Publish sends these assignments, until the next change.
func (c *Cluster) Publish(namespace string, assignments *oxiav1.NamespaceShardsAssignment) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.namespaces[namespace].published = assignments
	close(c.changed)
	c.changed = make(chan struct{})
}

// MoveLeader makes a node the leader of a shard. Write streams at the old one are cancelled; sessions start anew.
func (c *Cluster) MoveLeader(shard int64, node int) {
	c.shard(shard).lead(node)
	c.publish()
}

// Unlead leaves a shard without a leader.
func (c *Cluster) Unlead(shard int64) { c.MoveLeader(shard, nobody) }

func (s *shard) lead(node int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leader = node
	clear(s.ghosts)
	s.endStreams()
	s.restartSessions()
}

// Depose makes another node the leader of a shard, and nobody knows: the old leader goes on answering reads from what it
// knew, takes writes and never answers them, and is named in the assignments. MoveLeader ends this.
func (c *Cluster) Depose(shard int64, node int) {
	s := c.shard(shard)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ghosts[s.leader] = s.state.clone()
	s.leader = node
	s.restartSessions()
}

// CancelStreams cancels the write streams of a shard; its leader stays.
func (c *Cluster) CancelStreams(shard int64) {
	s := c.shard(shard)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endStreams()
}

// Split splits a shard in the middle. The children inherit records and sessions; their leaders are the parent's.
func (c *Cluster) Split(id int64) (left, right int64) {
	parent := c.shard(id)
	c.mu.Lock()
	var ns *namespace
	for _, n := range c.namespaces {
		if n.shards[id] != nil {
			ns = n
		}
	}
	parent.mu.Lock()
	middle := uint32((uint64(parent.low) + uint64(parent.high)) / 2)
	var children []*shard
	for _, r := range [][2]uint32{{parent.low, middle}, {middle + 1, parent.high}} {
		st := parent.state.half(r[0], r[1])
		if c.cfg.LossySplits {
			st = parent.replayed(r[0], r[1])
		}
		child := c.newShard(ns, r[0], r[1], st)
		child.leader, child.offset, child.log = parent.leader, parent.offset, slices.Clone(parent.log)
		for session, x := range parent.sessions {
			child.begin(session, x.identity, x.timeout)
		}
		children = append(children, child)
	}
	parent.gone = true
	parent.stopSessions()
	parent.endStreams()
	parent.mu.Unlock()
	delete(ns.shards, id)
	c.mu.Unlock()
	c.publish()
	return children[0].id, children[1].id
}

// StopNode cuts a node off: its connections break and its address refuses. Shards it leads have no other leader by that.
func (c *Cluster) StopNode(node int) { c.nodes[node].stop() }

// StartNode lets a stopped node listen again at its old address.
func (c *Cluster) StartNode(node int) error {
	n := c.nodes[node]
	if err := n.listen(); err != nil {
		return err
	}
	n.serve()
	return nil
}
