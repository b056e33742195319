package simmeta

import (
	"cmp"
	"strings"
	"time"

	"github.com/RaduBerinde/btreemap"

	"github.com/novastream/nova/io/meta"
)

// row is one record as stored. Rows are never changed: a write puts a new one.
type row struct {
	key      string
	value    []byte
	version  meta.Version
	created  time.Time
	modified time.Time
	indexes  []meta.Index
	session  *session
	route    uint32 // the hash of its locality, or of its key
}

func (r *row) record() meta.Record {
	return meta.Record{
		Key: r.key, Value: append([]byte(nil), r.value...), Version: r.version, Created: r.created, Modified: r.modified,
	}
}

// rowKey orders records by depth first, so that the children of one parent are neighbours. Natural order has depth 0 only.
type rowKey struct {
	depth int
	key   string
}

func compareRows(a, b rowKey) int {
	if a.depth != b.depth {
		return cmp.Compare(a.depth, b.depth)
	}
	return strings.Compare(a.key, b.key)
}

// hitKey orders an index by secondary key, then by key.
type hitKey struct{ secondary, key string }

func compareHits(a, b hitKey) int {
	if c := strings.Compare(a.secondary, b.secondary); c != 0 {
		return c
	}
	return strings.Compare(a.key, b.key)
}

type (
	rows = btreemap.BTreeMap[rowKey, *row]
	hits = btreemap.BTreeMap[hitKey, *row]
)

const degree = 16

// index is the secondary order of one index name.
type index struct {
	name string
	hits *hits
}

// state is what a shard holds at one instant. A clone shares all that does not change.
type state struct {
	rows    *rows
	indexes []index
}

func newState() state { return state{rows: btreemap.New[rowKey, *row](degree, compareRows)} }

func (s *state) clone() state {
	c := state{rows: s.rows.Clone(), indexes: make([]index, len(s.indexes))}
	for i, x := range s.indexes {
		c.indexes[i] = index{x.name, x.hits.Clone()}
	}
	return c
}

// index finds an index by name; nil where nothing was ever put under it.
func (s *state) index(name string) *hits {
	for _, x := range s.indexes {
		if x.name == name {
			return x.hits
		}
	}
	return nil
}

func (s *state) makeIndex(name string) *hits {
	if h := s.index(name); h != nil {
		return h
	}
	h := btreemap.New[hitKey, *row](degree, compareHits)
	s.indexes = append(s.indexes, index{name, h})
	return h
}

// set puts a row in the place of the old one, if any.
func (s *state) set(at rowKey, r *row) (old *row) {
	_, old, _ = s.rows.ReplaceOrInsert(at, r)
	s.dropHits(old)
	for _, x := range r.indexes {
		s.makeIndex(x.Name).ReplaceOrInsert(hitKey{x.Key, r.key}, r)
	}
	return old
}

// take removes a row, which is there.
func (s *state) take(at rowKey) (old *row) {
	_, old, _ = s.rows.Delete(at)
	s.dropHits(old)
	return old
}

func (s *state) dropHits(old *row) {
	if old == nil {
		return
	}
	for _, x := range old.indexes {
		s.index(x.Name).Delete(hitKey{x.Key, old.key})
	}
}

// shard is one shard of a space.
type shard struct {
	state
	space   *space
	low     uint32   // it holds routes from here up to the low of the next shard
	alone   []*shard // itself
	next    meta.Version
	past    []snapshot // earlier states, the oldest first
	deposed *deposed   // nil: nobody asks an earlier leader
	down    bool
	mute    bool // failing over: calls are dropped
}

type snapshot struct {
	at    time.Duration
	state state
	next  meta.Version
}

// keepPast snapshots the state before a write, and forgets what is older than most.
func (s *shard) keepPast(now, most time.Duration) {
	old := 0
	for old < len(s.past) && now-s.past[old].at > most {
		old++
	}
	s.past = append(s.past[old:], snapshot{now, s.clone(), s.next})
}
