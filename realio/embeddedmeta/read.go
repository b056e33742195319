package embeddedmeta

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/novastream/nova/io/meta"
)

func readError(err error) error { return fmt.Errorf("%w: read: %w", meta.ErrUnavailable, err) }

// observe runs a read and answers once all that it shows is on disk. fn gives the newest durable version it saw.
func (s *Store) observe(ctx context.Context, fn func() (meta.Version, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	seen, err := s.guarded(fn)
	if err != nil && !errors.Is(err, meta.ErrNotFound) {
		return err
	}
	shows := max(seen, meta.Version(s.barrier.Load())) // read after the read: it covers all absence that was seen
	if err := s.settled(ctx, shows); err != nil {
		return err
	}
	return err
}

func (s *Store) guarded(fn func() (meta.Version, error)) (meta.Version, error) {
	s.reads.RLock()
	defer s.reads.RUnlock()
	select {
	case <-s.ended:
		return 0, s.unavailable()
	default:
		return fn()
	}
}

// durableVersion is the version whose commit must be on disk before the row is shown.
func (r row) durableVersion() meta.Version {
	if r.ephemeral() {
		return 0
	}
	return r.version
}

func (s *Store) get(ctx context.Context, sp space, key string) (rec meta.Record, err error) {
	err = s.observe(ctx, func() (meta.Version, error) {
		value, closer, err := s.db.Get(sp.row(key))
		if errors.Is(err, pebble.ErrNotFound) {
			return 0, fmt.Errorf("%w: %q", meta.ErrNotFound, key)
		}
		if err != nil {
			return 0, readError(err)
		}
		r, err := decodeRow(value)
		if err = errors.Join(err, closer.Close()); err != nil {
			return 0, readError(err)
		}
		rec = r.record(key)
		return r.durableVersion(), nil
	})
	if err != nil {
		return meta.Record{}, err
	}
	return rec, nil
}

// rows calls fn with the rows of a range, in order, until it gives false. The key is fn's own.
func (s *Store) rows(lower, upper []byte, fn func(at []byte, r row) bool) (err error) {
	if bytes.Compare(lower, upper) >= 0 {
		return nil
	}
	iter, err := s.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return readError(err)
	}
	defer func() { err = errors.Join(err, iter.Close()) }()
	for ok := iter.First(); ok; ok = iter.Next() {
		r, err := current(iter)
		if err != nil {
			return err
		}
		if !fn(bytes.Clone(iter.Key()), r) {
			return nil
		}
	}
	if err := iter.Error(); err != nil {
		return readError(err)
	}
	return nil
}

// current is the row that an iterator stands on.
func current(iter *pebble.Iterator) (row, error) {
	value, err := iter.ValueAndErr()
	if err != nil {
		return row{}, readError(err)
	}
	r, err := decodeRow(value)
	if err != nil {
		return row{}, readError(err)
	}
	return r, nil
}

// scan gives up to limit records of a range.
func (s *Store) scan(ctx context.Context, sp space, lower, upper []byte, limit int) (recs []meta.Record, err error) {
	err = s.observe(ctx, func() (seen meta.Version, err error) {
		err = s.rows(lower, upper, func(at []byte, r row) bool {
			seen = max(seen, r.durableVersion())
			recs = append(recs, r.record(sp.key(at)))
			return len(recs) < limit
		})
		return seen, err
	})
	if err != nil {
		return nil, err
	}
	return recs, nil
}

// floor gives the last record of a range.
func (s *Store) floor(ctx context.Context, sp space, lower, upper []byte) (rec meta.Record, err error) {
	err = s.observe(ctx, func() (seen meta.Version, err error) {
		iter, err := s.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
		if err != nil {
			return 0, readError(err)
		}
		defer func() { err = errors.Join(err, iter.Close()) }()
		if !iter.Last() {
			return 0, nothing(iter)
		}
		r, err := current(iter)
		rec = r.record(sp.key(iter.Key()))
		return r.durableVersion(), err
	})
	if err != nil {
		return meta.Record{}, err
	}
	return rec, nil
}

// nothing is why an iterator found nothing.
func nothing(iter *pebble.Iterator) error {
	if err := iter.Error(); err != nil {
		return readError(err)
	}
	return fmt.Errorf("%w: nothing in the range", meta.ErrNotFound)
}
