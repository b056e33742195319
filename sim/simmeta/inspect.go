package simmeta

import (
	"slices"
	"strings"

	"github.com/novastream/nova/io/meta"
)

// Peek reads one row without any call: the newest state. Observers must not change its value.
func (st *Store) Peek(id Space, key string) (meta.Record, bool) {
	for _, s := range st.spaces[id].shards {
		if r, ok := s.get(st.spaces[id].at(key)); ok {
			return *r.peek(), true
		}
	}
	return meta.Record{}, false
}

// All lists the rows of a space whose key starts with prefix, in bytewise key order, without any call. Observers must not
// change their values.
func (st *Store) All(id Space, prefix string) []meta.Record {
	var all []meta.Record
	for _, s := range st.spaces[id].shards {
		for _, r := range s.rows.Ascend(minRow, maxRow) {
			if strings.HasPrefix(r.key, prefix) {
				all = append(all, *r.peek())
			}
		}
	}
	slices.SortFunc(all, func(a, b meta.Record) int { return strings.Compare(a.Key, b.Key) })
	return all
}

// Len counts the rows of a space.
func (st *Store) Len(id Space) int {
	n := 0
	for _, s := range st.spaces[id].shards {
		n += s.rows.Len()
	}
	return n
}
