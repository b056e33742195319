package runtime

import (
	"context"

	"github.com/novastream/nova/io/meta"
)

// Spaces wraps the namespaces so that their calls release the baton.
func (r *Runtime) Spaces(s meta.Spaces) meta.Spaces {
	return meta.Spaces{
		Records:   r.Metastore(s.Records),
		Work:      r.Metastore(s.Work),
		Ephemeral: r.Metastore(s.Ephemeral),
		Naming:    r.Naming(s.Naming),
	}
}

// Metastore wraps a metastore so that its calls release the baton.
func (r *Runtime) Metastore(m meta.Metastore) meta.Metastore { return metastore{&r.baton, m} }

// Naming wraps a naming service so that its calls release the baton.
func (r *Runtime) Naming(n meta.Naming) meta.Naming { return naming{&r.baton, n} }

type metastore struct {
	baton *baton
	next  meta.Metastore
}

type naming struct {
	baton *baton
	next  meta.Naming
}

func (m metastore) Within(locality string) meta.Metastore {
	return metastore{m.baton, m.next.Within(locality)}
}
func (m metastore) Fresh() meta.Metastore { return metastore{m.baton, m.next.Fresh()} }
func (n naming) Fresh() meta.Naming       { return naming{n.baton, n.next.Fresh()} }

func (m metastore) Get(ctx context.Context, key string) (meta.Record, error) {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.Get(ctx, key)
}

func (m metastore) Put(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.Put(ctx, key, value, expect)
}

func (m metastore) PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (meta.Version, error) {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.PutIndexed(ctx, key, value, expect, indexes)
}

func (m metastore) PutEphemeral(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.PutEphemeral(ctx, key, value, expect)
}

func (m metastore) Delete(ctx context.Context, key string, expect meta.Expect) error {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.Delete(ctx, key, expect)
}

func (m metastore) FloorGet(ctx context.Context, prefix, probe string) (meta.Record, error) {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.FloorGet(ctx, prefix, probe)
}

func (m metastore) Scan(ctx context.Context, prefix, after string, limit int) ([]meta.Record, error) {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.Scan(ctx, prefix, after, limit)
}

func (m metastore) DeleteChildren(ctx context.Context, prefix string) error {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.DeleteChildren(ctx, prefix)
}

func (m metastore) DeleteRange(ctx context.Context, prefix, from, to string) error {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.DeleteRange(ctx, prefix, from, to)
}

func (m metastore) FloorIndex(ctx context.Context, index, prefix, probe string) (meta.IndexHit, error) {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.FloorIndex(ctx, index, prefix, probe)
}

func (m metastore) ScanIndex(ctx context.Context, index, prefix, after string, limit int) ([]meta.IndexHit, error) {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.ScanIndex(ctx, index, prefix, after, limit)
}

func (m metastore) GetByIndex(ctx context.Context, index, secondary string) (meta.Record, error) {
	m.baton.leave()
	defer m.baton.enter()
	return m.next.GetByIndex(ctx, index, secondary)
}

func (n naming) Get(ctx context.Context, key string) (meta.Record, error) {
	n.baton.leave()
	defer n.baton.enter()
	return n.next.Get(ctx, key)
}

func (n naming) Put(ctx context.Context, key string, value []byte, expect meta.Expect) (meta.Version, error) {
	n.baton.leave()
	defer n.baton.enter()
	return n.next.Put(ctx, key, value, expect)
}

func (n naming) PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (meta.Version, error) {
	n.baton.leave()
	defer n.baton.enter()
	return n.next.PutIndexed(ctx, key, value, expect, indexes)
}

func (n naming) Delete(ctx context.Context, key string, expect meta.Expect) error {
	n.baton.leave()
	defer n.baton.enter()
	return n.next.Delete(ctx, key, expect)
}

func (n naming) List(ctx context.Context, prefix, after string, limit int) ([]meta.Record, error) {
	n.baton.leave()
	defer n.baton.enter()
	return n.next.List(ctx, prefix, after, limit)
}

func (n naming) GetByIndex(ctx context.Context, index, secondary string) (meta.Record, error) {
	n.baton.leave()
	defer n.baton.enter()
	return n.next.GetByIndex(ctx, index, secondary)
}
