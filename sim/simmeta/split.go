package simmeta

import (
	"time"

	"github.com/novastream/nova/sim"
)

// Damage is what a split does to the rows that move beyond moving them. The zero value does no harm. Real servers were
// seen to do all of it.
type Damage struct {
	Bindings sim.Rate      // a moved row is no longer bound to its session: it outlives it
	Indexes  sim.Rate      // a moved row loses its index entries
	RollBack time.Duration // moved rows, and the version counter, go back this far: acknowledged writes are lost
}

// Split splits a shard in two; both halves drop every call while it lasts. A range or index call within one locality never
// sees the seam. RollBack needs a past, which the fault StaleReads keeps.
func (st *Store) Split(id Space, index int, lasting time.Duration, damage Damage) {
	st.world.CountFault("meta.split", Endpoint)
	sp := st.spaces[id]
	parent := sp.shards[index]
	top := uint64(1) << 32
	if index+1 < len(sp.shards) {
		top = uint64(sp.shards[index+1].low)
	}
	middle := uint32((uint64(parent.low) + top) / 2)
	child := sp.add(middle, newState())
	child.next = parent.next
	from := parent.clone()
	if i := parent.pastAt(st.world.Now() - damage.RollBack); damage.RollBack > 0 && i >= 0 {
		from, child.next = parent.past[i].state.clone(), parent.past[i].next
	}
	parent.past, parent.deposed = nil, nil // they show rows that are the child's now
	for at, r := range from.rows.Ascend(minRow, maxRow) {
		if r.route >= middle {
			child.set(at, st.moved(r, damage))
		}
	}
	var gone []rowKey
	for at, r := range parent.rows.Ascend(minRow, maxRow) {
		if r.route >= middle {
			gone = append(gone, at)
		}
	}
	for _, at := range gone {
		parent.take(at)
	}
	for _, s := range []*shard{parent, child} {
		s.mute = true
		st.world.After(lasting, func() { s.mute = false })
	}
}

// moved is a row as it arrives at a child.
func (st *Store) moved(r *row, damage Damage) *row {
	row := *r
	if damage.Bindings.Hits(st.rng) {
		row.session = nil
	}
	if damage.Indexes.Hits(st.rng) {
		row.indexes = nil
	}
	return &row
}

// RollBack takes a shard back to its state of so long ago, and its version counter with it, which breaks what the
// metastore promises. It needs a past, which the fault StaleReads keeps; it says whether there was one.
func (st *Store) RollBack(id Space, index int, by time.Duration) bool {
	s := st.spaces[id].shards[index]
	i := s.pastAt(st.world.Now() - by)
	if i < 0 {
		return false
	}
	st.world.CountFault("meta.roll-back", Endpoint)
	s.state, s.next = s.past[i].state.clone(), s.past[i].next
	s.past = s.past[:i]
	return true
}

// pastAt finds the first state kept at or after an instant; -1 where there is none.
func (s *shard) pastAt(from time.Duration) int {
	for i := range s.past {
		if s.past[i].at >= from {
			return i
		}
	}
	return -1
}
