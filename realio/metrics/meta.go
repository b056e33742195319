package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/novastream/nova/io/meta"
)

// Spaces wraps the namespaces of a metastore.
func (m *Meter) Spaces(s meta.Spaces) meta.Spaces {
	at := func(space string) views {
		place := m.meta.at(prometheus.Labels{"space": space})
		return views{place: place}
	}
	return meta.Spaces{
		Records:   metastore{at("records"), s.Records},
		Work:      metastore{at("work"), s.Work},
		Ephemeral: metastore{at("ephemeral"), s.Ephemeral},
		Naming:    naming{at("naming"), s.Naming},
	}
}

// views is what the views of one namespace count in. Fresh reads are calls of their own: they cost more.
type views struct {
	place *place
	fresh bool
}

func (v views) freshly() views {
	v.fresh = true
	return v
}

// write measures a write; what it gives is to be called when err is there.
func (v views) write(call string, err *error) func() {
	ended := v.place.begin(call)
	return func() { ended(metaOutcome(*err)) }
}

// read measures a read.
func (v views) read(call string, err *error) func() {
	if v.fresh {
		call = "fresh_" + call
	}
	return v.write(call, err)
}

type metastore struct {
	views
	next meta.Metastore
}

var _ meta.Metastore = metastore{}

func (m metastore) Within(locality string) meta.Metastore {
	return metastore{m.views, m.next.Within(locality)}
}

func (m metastore) Fresh() meta.Metastore { return metastore{m.freshly(), m.next.Fresh()} }

func (m metastore) Get(ctx context.Context, key string) (rec meta.Record, err error) {
	defer m.read("get", &err)()
	return m.next.Get(ctx, key)
}

func (m metastore) Put(ctx context.Context, key string, value []byte, expect meta.Expect) (v meta.Version, err error) {
	defer m.write("put", &err)()
	return m.next.Put(ctx, key, value, expect)
}

func (m metastore) PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (v meta.Version, err error) {
	defer m.write("put_indexed", &err)()
	return m.next.PutIndexed(ctx, key, value, expect, indexes)
}

func (m metastore) PutEphemeral(ctx context.Context, key string, value []byte, expect meta.Expect) (v meta.Version, err error) {
	defer m.write("put_ephemeral", &err)()
	return m.next.PutEphemeral(ctx, key, value, expect)
}

func (m metastore) Delete(ctx context.Context, key string, expect meta.Expect) (err error) {
	defer m.write("delete", &err)()
	return m.next.Delete(ctx, key, expect)
}

func (m metastore) FloorGet(ctx context.Context, prefix, probe string) (rec meta.Record, err error) {
	defer m.read("floor_get", &err)()
	return m.next.FloorGet(ctx, prefix, probe)
}

func (m metastore) Scan(ctx context.Context, prefix, after string, limit int) (recs []meta.Record, err error) {
	defer m.read("scan", &err)()
	return m.next.Scan(ctx, prefix, after, limit)
}

func (m metastore) DeleteChildren(ctx context.Context, prefix string) (err error) {
	defer m.write("delete_children", &err)()
	return m.next.DeleteChildren(ctx, prefix)
}

func (m metastore) DeleteRange(ctx context.Context, prefix, from, to string) (err error) {
	defer m.write("delete_range", &err)()
	return m.next.DeleteRange(ctx, prefix, from, to)
}

func (m metastore) FloorIndex(ctx context.Context, index, prefix, probe string) (hit meta.IndexHit, err error) {
	defer m.read("floor_index", &err)()
	return m.next.FloorIndex(ctx, index, prefix, probe)
}

func (m metastore) ScanIndex(ctx context.Context, index, prefix, after string, limit int) (hits []meta.IndexHit, err error) {
	defer m.read("scan_index", &err)()
	return m.next.ScanIndex(ctx, index, prefix, after, limit)
}

func (m metastore) GetByIndex(ctx context.Context, index, secondary string) (rec meta.Record, err error) {
	defer m.read("get_by_index", &err)()
	return m.next.GetByIndex(ctx, index, secondary)
}

type naming struct {
	views
	next meta.Naming
}

var _ meta.Naming = naming{}

func (n naming) Fresh() meta.Naming { return naming{n.freshly(), n.next.Fresh()} }

func (n naming) Get(ctx context.Context, key string) (rec meta.Record, err error) {
	defer n.read("get", &err)()
	return n.next.Get(ctx, key)
}

func (n naming) Put(ctx context.Context, key string, value []byte, expect meta.Expect) (v meta.Version, err error) {
	defer n.write("put", &err)()
	return n.next.Put(ctx, key, value, expect)
}

func (n naming) PutIndexed(ctx context.Context, key string, value []byte, expect meta.Expect, indexes []meta.Index) (v meta.Version, err error) {
	defer n.write("put_indexed", &err)()
	return n.next.PutIndexed(ctx, key, value, expect, indexes)
}

func (n naming) Delete(ctx context.Context, key string, expect meta.Expect) (err error) {
	defer n.write("delete", &err)()
	return n.next.Delete(ctx, key, expect)
}

func (n naming) List(ctx context.Context, prefix, after string, limit int) (recs []meta.Record, err error) {
	defer n.read("list", &err)()
	return n.next.List(ctx, prefix, after, limit)
}

func (n naming) GetByIndex(ctx context.Context, index, secondary string) (rec meta.Record, err error) {
	defer n.read("get_by_index", &err)()
	return n.next.GetByIndex(ctx, index, secondary)
}
