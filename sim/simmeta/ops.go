package simmeta

import (
	"github.com/RaduBerinde/btreemap"

	"github.com/novastream/nova/io/meta"
)

// Reads of one state. They are pure.

func (s *state) get(at rowKey) (*row, bool) {
	_, r, ok := s.rows.Get(at)
	return r, ok
}

// floor finds the greatest row at or below high that is not below low.
func (s *state) floor(low, high rowKey) (*row, bool) {
	for _, r := range s.rows.Descend(btreemap.LE(high), btreemap.GE(low)) {
		return r, true
	}
	return nil, false
}

// span adds to a list up to limit rows above after (when given) or from low, and below high.
func (s *state) span(found []*row, low, after, high rowKey, limit int) []*row {
	start := btreemap.GE(low)
	if after.key != "" && compareRows(after, low) >= 0 {
		start = btreemap.GT(after)
	}
	most := len(found) + limit
	for _, r := range s.rows.Ascend(start, btreemap.LT(high)) {
		if limit >= 0 && len(found) == most {
			break
		}
		found = append(found, r)
	}
	return found
}

type hit struct {
	secondary string
	row       *row
}

// floorHit finds the greatest secondary key at or below probe and not below low; of its rows, the one with the lowest key.
func (s *state) floorHit(name, low, probe string) (hit, bool) {
	h := s.index(name)
	if h == nil {
		return hit{}, false
	}
	// "\xff" is above every key, for keys are UTF-8.
	for k := range h.Descend(btreemap.LE(hitKey{probe, "\xff"}), btreemap.GE(hitKey{low, ""})) {
		r, _ := s.byIndex(name, k.secondary)
		return hit{k.secondary, r}, true
	}
	return hit{}, false
}

// spanHits lists up to limit hits whose secondary key is above after, at or above low, and below high.
func (s *state) spanHits(name, low, after, high string, limit int) []hit {
	h := s.index(name)
	if h == nil {
		return nil
	}
	start := btreemap.GE(hitKey{low, ""})
	if after >= low && after != "" {
		start = btreemap.GT(hitKey{after, "\xff"})
	}
	var found []hit
	for k, r := range h.Ascend(start, btreemap.LT(hitKey{high, ""})) {
		if len(found) == limit {
			break
		}
		found = append(found, hit{k.secondary, r})
	}
	return found
}

func (s *state) byIndex(name, secondary string) (*row, bool) {
	h := s.index(name)
	if h == nil {
		return nil, false
	}
	for _, r := range h.Ascend(btreemap.GE(hitKey{secondary, ""}), btreemap.LE(hitKey{secondary, "\xff"})) {
		return r, true
	}
	return nil, false
}

// Writes of a shard. Each is one instant.

type write struct {
	key     string
	at      rowKey
	value   []byte
	expect  meta.Expect
	indexes []meta.Index
	session *session
	by      string
	route   uint32
}

func (st *Store) put(s *shard, w *write) (meta.Version, error) {
	old, found := s.get(w.at)
	var at meta.Version
	if found {
		at = old.version
	}
	if !w.expect.Holds(found, at) {
		return 0, meta.ErrConflict
	}
	st.beforeWrite(s)
	now := st.now()
	r := &row{
		key: w.key, value: w.value, version: s.next, created: now, modified: now, indexes: w.indexes, session: w.session,
		route: w.route,
	}
	if found {
		r.created = old.created
	}
	s.next++
	s.set(w.at, r)
	st.world.Fold(uint64(r.version))
	st.tell(s, w.key, old, r, w.by)
	return r.version, nil
}

func (st *Store) delete(s *shard, w *write) error {
	old, found := s.get(w.at)
	if !found {
		if _, concrete := w.expect.Version(); concrete {
			return meta.ErrConflict
		}
		return meta.ErrNotFound
	}
	if !w.expect.Holds(true, old.version) {
		return meta.ErrConflict
	}
	st.remove(s, w.at, w.by)
	return nil
}

// remove deletes a row that is there.
func (st *Store) remove(s *shard, at rowKey, by string) {
	st.beforeWrite(s)
	old := s.take(at)
	s.next++ // a delete is a write of the shard too
	st.tell(s, old.key, old, nil, by)
}

// deleteSpan removes all rows from low up to high.
func (st *Store) deleteSpan(s *shard, low, high rowKey, by string) {
	for _, r := range s.span(nil, low, rowKey{}, high, -1) {
		st.remove(s, rowKey{low.depth, r.key}, by)
	}
}
