package simmeta

import (
	"context"
	"slices"

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

// shard is where a key of this view lives.
func (v *view) shard(key string) *shard {
	if v.local {
		return v.space.shardOf(v.locality)
	}
	return v.space.shardOf(key)
}

// range_ are the shards that a range of this view sees.
func (v *view) shards() []*shard {
	if v.local {
		return []*shard{v.space.shardOf(v.locality)}
	}
	return v.space.shards
}

// Get reads one record.
func (v *view) Get(ctx context.Context, key string) (meta.Record, error) {
	if err := v.check(key); err != nil {
		return meta.Record{}, &opError{"get", key, err}
	}
	at := v.space.at(key)
	return read(ctx, v, "meta.get", key, v.shard(key), func(s *state) (meta.Record, error) {
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
		session: session, by: v.client.process.Name(),
	}
	sh := v.shard(key)
	return change(ctx, v, kind, key, []*shard{sh}, func(st *Store) (meta.Version, error) {
		if session != nil && !session.begin() {
			return 0, &opError{"put", key, meta.ErrSessionExpired}
		}
		version, err := st.put(sh, w)
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
	sh := v.shard(key)
	_, err := change(ctx, v, "meta.delete", key, []*shard{sh}, func(st *Store) (struct{}, error) {
		if err := st.delete(sh, w); err != nil {
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
	shards, by := v.shards(), v.client.process.Name()
	_, err := change(ctx, v, "meta.delete-range", prefix, shards, func(st *Store) (struct{}, error) {
		for _, s := range shards {
			st.deleteSpan(s, low, high, by)
		}
		return struct{}{}, nil
	})
	return err
}
