package oxiatest

import (
	"context"
	"strings"
	"time"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

const (
	minSession = 2 * time.Second
	maxSession = 5 * time.Minute
)

// session is one client's on one shard. Its id is a log offset: it is the shard's alone.
type session struct {
	id       int64
	identity string
	timeout  time.Duration
	timer    *time.Timer
}

// begin adds a session with a full time-out. The caller holds mu.
func (s *shard) begin(id int64, identity string, timeout time.Duration) {
	x := &session{id: id, identity: identity, timeout: timeout}
	x.timer = time.AfterFunc(timeout, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.sessions[id] == x {
			s.end(id)
		}
	})
	s.sessions[id] = x
}

// end removes a session and its rows. The caller holds mu.
func (s *shard) end(id int64) {
	s.sessions[id].timer.Stop()
	delete(s.sessions, id)
	s.offset++
	s.state.endSession(id)
}

// restartSessions gives every session its full time-out again, as a new leader does. The caller holds mu.
func (s *shard) restartSessions() {
	for _, x := range s.sessions {
		x.timer.Reset(x.timeout)
	}
}

// stopSessions stops the clocks. The caller holds mu.
func (s *shard) stopSessions() {
	for _, x := range s.sessions {
		x.timer.Stop()
	}
}

// CreateSession begins a session.
func (n *node) CreateSession(_ context.Context, req *oxiav1.CreateSessionRequest) (*oxiav1.CreateSessionResponse, error) {
	timeout := time.Duration(req.GetSessionTimeoutMs()) * time.Millisecond
	if timeout < minSession || timeout > maxSession {
		return nil, n.cluster.fail("INVALID_SESSION_TIMEOUT", nil)
	}
	s := n.cluster.shard(req.GetShard())
	if s == nil {
		return nil, n.cluster.notLeader(req.GetShard(), "")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.led(n.index); err != nil {
		return nil, err
	}
	id := s.offset
	s.offset++
	s.state.version++ // a session takes a version, too
	s.begin(id, req.GetClientIdentity(), timeout)
	return &oxiav1.CreateSessionResponse{SessionId: id}, nil
}

// session finds a session at the node that leads.
func (n *node) session(shardID, id int64, then func(*shard, *session)) error {
	s := n.cluster.shard(shardID)
	if s == nil {
		return n.cluster.notLeader(shardID, "")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.led(n.index); err != nil {
		return err
	}
	x := s.sessions[id]
	if x == nil {
		return n.cluster.fail("SESSION_NOT_FOUND", nil)
	}
	then(s, x)
	return nil
}

// KeepAlive gives a session its full time-out again.
func (n *node) KeepAlive(_ context.Context, req *oxiav1.SessionHeartbeat) (*oxiav1.KeepAliveResponse, error) {
	err := n.session(req.GetShard(), req.GetSessionId(), func(_ *shard, x *session) { x.timer.Reset(x.timeout) })
	if err != nil {
		return nil, err
	}
	return &oxiav1.KeepAliveResponse{}, nil
}

// CloseSession ends a session with its rows.
func (n *node) CloseSession(_ context.Context, req *oxiav1.CloseSessionRequest) (*oxiav1.CloseSessionResponse, error) {
	if err := n.session(req.GetShard(), req.GetSessionId(), func(s *shard, x *session) { s.end(x.id) }); err != nil {
		return nil, err
	}
	return &oxiav1.CloseSessionResponse{}, nil
}

// ExpireSessions ends every session, on all shards of all namespaces, whose client's identity starts like this.
func (c *Cluster) ExpireSessions(identity string) (ended int) {
	return c.eachSession(identity, func(s *shard, x *session) bool {
		s.end(x.id)
		return true
	})
}

// ExpireSessionsOn is ExpireSessions for one shard.
func (c *Cluster) ExpireSessionsOn(id int64, identity string) (ended int) {
	return c.eachSession(identity, func(s *shard, x *session) bool {
		if s.id == id {
			s.end(x.id)
		}
		return s.id == id
	})
}

// Sessions counts the sessions whose client's identity starts like this.
func (c *Cluster) Sessions(identity string) int {
	return c.eachSession(identity, func(*shard, *session) bool { return true })
}

func (c *Cluster) eachSession(identity string, counts func(*shard, *session) bool) (count int) {
	for _, s := range c.all() {
		s.mu.Lock()
		for _, x := range s.sessions {
			if strings.HasPrefix(x.identity, identity) && counts(s, x) {
				count++
			}
		}
		s.mu.Unlock()
	}
	return count
}
