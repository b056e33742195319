package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/realio/s3blob"
)

// Store wraps a store, which serves a class, in a zone where the class has several. One on S3 has its requests counted too.
func (m *Meter) Store(class, zone string, s blob.Store) blob.Store {
	if b, ok := s.(*s3blob.Store); ok {
		m.mu.Lock()
		m.buckets = append(m.buckets, bucket{class, zone, b.Stats})
		m.mu.Unlock()
	}
	where := prometheus.Labels{"class": class, "zone": zone}
	return store{m.stores.at(where), m.bytes.MustCurryWith(where), s}
}

type store struct {
	place *place
	bytes *prometheus.CounterVec
	next  blob.Store
}

var _ blob.Store = store{}

// call measures a call; what it gives is to be called when err is there.
func (s store) call(name string, err *error) func() {
	ended := s.place.begin(name)
	return func() { ended(blobOutcome(*err)) }
}

// moved counts the bytes of a call that did what it was asked to.
func (s store) moved(call string, bytes int) { s.bytes.WithLabelValues(call).Add(float64(bytes)) }

func (s store) PutIfAbsent(ctx context.Context, key string, data []byte) (blob.Outcome, error) {
	ended := s.place.begin("put_if_absent")
	outcome, err := s.next.PutIfAbsent(ctx, key, data)
	if outcome == blob.Unknown {
		ended(blobOutcome(err))
		return outcome, err
	}
	ended(outcome.String())
	if outcome == blob.Created {
		s.moved("put_if_absent", len(data))
	}
	return outcome, err
}

func (s store) Put(ctx context.Context, key string, data []byte) (err error) {
	defer s.call("put", &err)()
	if err = s.next.Put(ctx, key, data); err == nil {
		s.moved("put", len(data))
	}
	return err
}

func (s store) Get(ctx context.Context, key string, r blob.Range) (data []byte, err error) {
	defer s.call("get", &err)()
	if data, err = s.next.Get(ctx, key, r); err == nil {
		s.moved("get", len(data))
	}
	return data, err
}

func (s store) Head(ctx context.Context, key string) (info blob.Info, err error) {
	defer s.call("head", &err)()
	return s.next.Head(ctx, key)
}

func (s store) List(ctx context.Context, prefix, after string, limit int) (infos []blob.Info, err error) {
	defer s.call("list", &err)()
	return s.next.List(ctx, prefix, after, limit)
}

func (s store) Delete(ctx context.Context, keys ...string) (err error) {
	defer s.call("delete", &err)()
	return s.next.Delete(ctx, keys...)
}
