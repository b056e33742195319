package embeddedmeta

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/novastream/nova/io/meta"
)

// watermark is the version up to which commits are on disk.
type watermark struct {
	at   atomic.Int64
	mu   sync.Mutex
	next chan struct{} // closed by the next rise; nil while nobody waits
}

// rise says that all commits up to v are on disk.
func (w *watermark) rise(v meta.Version) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at.Store(int64(v))
	if w.next != nil {
		close(w.next)
		w.next = nil
	}
}

// rising is what the next rise closes, or nil where v is reached.
func (w *watermark) rising(v meta.Version) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.at.Load() >= int64(v) {
		return nil
	}
	if w.next == nil {
		w.next = make(chan struct{})
	}
	return w.next
}

// settled waits until the commit of version v is on disk.
func (s *Store) settled(ctx context.Context, v meta.Version) error {
	for s.durable.at.Load() < int64(v) {
		rising := s.durable.rising(v)
		if rising == nil {
			return nil
		}
		select {
		case <-rising:
		case <-ctx.Done():
			return ctx.Err()
		case <-s.ended:
			return s.unavailable()
		}
	}
	return nil
}
