package runtime

import (
	"context"

	"github.com/novastream/nova/io/blob"
)

// Blob wraps a store so that its calls release the baton.
func (r *Runtime) Blob(s blob.Store) blob.Store { return store{&r.baton, s} }

type store struct {
	baton *baton
	next  blob.Store
}

func (s store) PutIfAbsent(ctx context.Context, key string, data []byte) (blob.Outcome, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.PutIfAbsent(ctx, key, data)
}

func (s store) Put(ctx context.Context, key string, data []byte) error {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Put(ctx, key, data)
}

func (s store) Get(ctx context.Context, key string, r blob.Range) ([]byte, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Get(ctx, key, r)
}

func (s store) Head(ctx context.Context, key string) (blob.Info, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Head(ctx, key)
}

func (s store) List(ctx context.Context, prefix, after string, limit int) ([]blob.Info, error) {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.List(ctx, prefix, after, limit)
}

func (s store) Delete(ctx context.Context, keys ...string) error {
	s.baton.leave()
	defer s.baton.enter()
	return s.next.Delete(ctx, keys...)
}
