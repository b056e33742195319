package simmeta

import (
	"context"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/novastream/nova/io/meta"
)

// view is one process's view of a hierarchical space.
type view struct {
	client   *client
	space    *space
	natural  bool
	locality string
	local    bool
	fresh    bool
}

var _ meta.Metastore = (*view)(nil)

// Within is the view that routes by a locality.
func (v *view) Within(locality string) meta.Metastore {
	w := *v
	w.locality, w.local = locality, true
	return &w
}

// Fresh is the view whose reads are linearizable.
func (v *view) Fresh() meta.Metastore {
	w := *v
	w.fresh = true
	return &w
}

// route is what decides where a key of this view lives.
func (v *view) route(key string) uint32 {
	if v.local {
		key = v.locality
	}
	return uint32(xxh3.HashString(key))
}

// targets are the shards of a call at the instant of its effect: that of its key, or all that a range sees.
func (v *view) targets(key string, ranged bool) []*shard {
	if ranged && !v.local {
		return v.space.shards
	}
	return v.space.shardOf(v.route(key)).alone
}

// Get reads one record.
func (v *view) Get(ctx context.Context, key string) (meta.Record, error) {
	if err := v.check(key); err != nil {
		return meta.Record{}, &opError{"get", key, err}
	}
	at := v.space.at(key)
	return read(ctx, v, "meta.get", key, func(s *state) (meta.Record, error) {
		if r, ok := s.get(at); ok {
			return r.record(), nil
		}
		return meta.Record{}, &opError{"get", key, meta.ErrNotFound}
	})
}

// Put writes one record without indexes.
func (v *view) Put(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	return v.put(ctx, "meta.put", key, value, expect, nil, nil)
}

// PutIndexed writes one record with its indexes.
func (v *view) PutIndexed(
	ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index,
) (meta.Version, error) {
	if err := checkIndexes(indexes); err != nil {
		return 0, &opError{"put", key, err}
	}
	return v.put(ctx, "meta.put", key, value, expect, slices.Clone(indexes), nil)
}

// PutEphemeral writes one record bound to the session.
func (v *view) PutEphemeral(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	v.client.process.Enter()
	session := v.client.open()
	version, err := v.put(ctx, "meta.put-ephemeral", key, value, expect, nil, session)
	if session.ended && v.client.session == session && isExpired(err) {
		v.client.session = nil // the next put begins a new one
	}
	return version, err
}

func (v *view) put(
	ctx context.Context, kind, key string, value []byte, expect meta.Expect, indexes []meta.Index, session *session,
) (meta.Version, error) {
	if err := v.check(key); err != nil || len(value) > maxValue {
		return 0, &opError{"put", key, meta.ErrInvalid}
	}
	w := &write{
		key: key, at: v.space.at(key), value: append([]byte(nil), value...), expect: expect, indexes: indexes,
		session: session, by: v.client.process.Name(), route: v.route(key),
	}
	return change(ctx, v, kind, key, false, func(st *Store, at []*shard) (meta.Version, error) {
		if session != nil && !session.begin() {
			return 0, &opError{"put", key, meta.ErrSessionExpired}
		}
		version, err := st.put(at[0], w)
		if err != nil {
			err = &opError{"put", key, err}
		}
		return version, err
	})
}

// Delete removes one record.
func (v *view) Delete(ctx context.Context, key string, expect meta.Expect) error {
	if err := v.check(key); err != nil || expect.IsAbsent() {
		return &opError{"delete", key, meta.ErrInvalid}
	}
	w := &write{key: key, at: v.space.at(key), expect: expect, by: v.client.process.Name()}
	_, err := change(ctx, v, "meta.delete", key, false, func(st *Store, at []*shard) (struct{}, error) {
		if err := st.delete(at[0], w); err != nil {
			return struct{}{}, &opError{"delete", key, err}
		}
		return struct{}{}, nil
	})
	return err
}

// DeleteChildren removes the children of prefix.
func (v *view) DeleteChildren(ctx context.Context, prefix string) error {
	if err := checkKey(prefix); err != nil {
		return &opError{"delete children of", prefix, err}
	}
	return v.deleteSpan(ctx, prefix, child(prefix, ""), child(prefix, above))
}

// DeleteRange removes the children of prefix from one name up to another.
func (v *view) DeleteRange(ctx context.Context, prefix, from, to string) error {
	if checkKey(prefix) != nil || checkName(from) != nil || checkName(to) != nil {
		return &opError{"delete range of", prefix, meta.ErrInvalid}
	}
	return v.deleteSpan(ctx, prefix, child(prefix, from), child(prefix, to))
}

func (v *view) deleteSpan(ctx context.Context, prefix string, low, high rowKey) error {
	by := v.client.process.Name()
	_, err := change(ctx, v, "meta.delete-range", prefix, true, func(st *Store, at []*shard) (struct{}, error) {
		for _, s := range at {
			st.deleteSpan(s, low, high, by)
		}
		return struct{}{}, nil
	})
	return err
}
