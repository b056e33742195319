package oxiatest

import (
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// nobody leads.
const nobody = -1

// shard is one shard: its state and who leads. Whoever holds mu does not lock the cluster.
type shard struct {
	cluster   *Cluster
	id        int64
	low, high uint32

	mu       sync.Mutex
	leader   int // node, or nobody
	gone     bool
	state    *state
	ghosts   map[int]*state // what deposed nodes still believe, who believe that they lead
	streams  map[*writeStream]bool
	sessions map[int64]*session
	offset   int64                  // of the next log entry
	log      []*oxiav1.WriteRequest // kept for lossy splits only
}

// readAt is the state that a node answers reads of a shard from.
func (c *Cluster) readAt(node int, id int64) (*state, error) {
	s := c.shard(id)
	if s == nil {
		return nil, c.notLeader(id, "")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ghost := s.ghosts[node]; ghost != nil {
		return ghost, nil
	}
	if err := s.led(node); err != nil {
		return nil, err
	}
	return s.state.clone(), nil
}

// led refuses a node that does not lead. The caller holds mu.
func (s *shard) led(node int) error {
	switch {
	case s.gone || s.leader == nobody:
		return s.cluster.notLeader(s.id, "")
	case s.leader != node:
		return s.cluster.notLeader(s.id, s.cluster.hint(s.leader))
	}
	return nil
}

func (c *Cluster) hint(node int) string {
	if !c.hints.Load() {
		return ""
	}
	return c.addrOf(node)
}

// write applies a request at a node. A ghost takes it and never answers: swallowed.
func (s *shard) write(node int, req *oxiav1.WriteRequest) (resp *oxiav1.WriteResponse, swallowed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ghosts[node] != nil {
		return nil, true, nil
	}
	if err := s.led(node); err != nil {
		return nil, false, err
	}
	s.offset++
	if s.cluster.cfg.LossySplits {
		s.log = append(s.log, proto.Clone(req).(*oxiav1.WriteRequest))
	}
	return s.state.apply(req, s.sessions), false, nil
}

// endStreams ends every write stream of the shard. The caller holds mu.
func (s *shard) endStreams() {
	for stream := range s.streams {
		stream.close(errClosed)
		delete(s.streams, stream)
	}
}

// replayed is the state that a lossy split gives to a child: the requests again, as far as they are the child's, by a new
// counter of versions.
func (s *shard) replayed(low, high uint32) *state {
	st := newState(s.state.order)
	mine := func(key string, partition *string) bool {
		h := hash(key)
		if partition != nil {
			h = hash(*partition)
		}
		return low <= h && h <= high
	}
	for _, req := range s.log {
		kept := &oxiav1.WriteRequest{DeleteRanges: req.GetDeleteRanges()}
		for _, put := range req.GetPuts() {
			if mine(put.GetKey(), put.PartitionKey) {
				kept.Puts = append(kept.Puts, put)
			}
		}
		for _, del := range req.GetDeletes() {
			if mine(del.GetKey(), del.PartitionKey) {
				kept.Deletes = append(kept.Deletes, del)
			}
		}
		st.apply(kept, s.sessions)
	}
	return st
}
