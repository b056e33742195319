package embeddedmeta

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/novastream/nova/io/meta"
)

// hits gives up to limit hits of a range of index entries, ascending, or the last one of the range.
func (s *Store) hits(ctx context.Context, sp space, index string, lower, upper []byte, limit int, last bool) (hits []meta.IndexHit, err error) {
	if bytes.Compare(lower, upper) >= 0 {
		upper = lower // an empty range is still read: absence, too, waits for the disk
	}
	err = s.observe(ctx, func() (seen meta.Version, err error) {
		entries, err := s.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
		if err != nil {
			return 0, readError(err)
		}
		defer func() { err = errors.Join(err, entries.Close()) }()
		// A clone sees the state that its original sees, so that every entry finds its row.
		rows, err := entries.Clone(pebble.CloneOptions{IterOptions: &pebble.IterOptions{
			LowerBound: []byte{tableRows}, UpperBound: after([]byte{tableRows}),
		}})
		if err != nil {
			return 0, readError(err)
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		start := entries.First
		if last {
			start = entries.Last
		}
		for ok := start(); ok && len(hits) < limit; ok = entries.Next() {
			secondary, at := sp.entryOf(entries.Key(), sp.index(index))
			if !rows.SeekGE(at) || !bytes.Equal(rows.Key(), at) {
				return 0, readError(errors.Join(fmt.Errorf("index %s names no row at %q", index, at), rows.Error()))
			}
			r, err := current(rows)
			if err != nil {
				return 0, err
			}
			seen = max(seen, r.durableVersion())
			hits = append(hits, meta.IndexHit{Secondary: secondary, Record: r.record(sp.key(at))})
		}
		if len(hits) == 0 {
			return 0, nothing(entries)
		}
		return seen, nil
	})
	return hits, err
}

// scanIndex finds records by ascending secondary key.
func (s *Store) scanIndex(ctx context.Context, sp space, index, prefix, behind string, limit int) ([]meta.IndexHit, error) {
	lower := escape(sp.index(index), prefix)
	upper := after(lower)
	if behind != "" {
		lower = greater(lower, append(escape(sp.index(index), behind), pastEnd...))
	}
	hits, err := s.hits(ctx, sp, index, lower, upper, limit, false)
	if errors.Is(err, meta.ErrNotFound) {
		return nil, nil
	}
	return hits, err
}

// floorIndex finds the record with the greatest secondary key at or below probe.
func (s *Store) floorIndex(ctx context.Context, sp space, index, prefix, probe string) (meta.IndexHit, error) {
	lower := escape(sp.index(index), prefix)
	upper := lesser(after(lower), append(escape(sp.index(index), probe), pastEnd...))
	hits, err := s.hits(ctx, sp, index, lower, upper, 1, true)
	if err != nil {
		return meta.IndexHit{}, err
	}
	return hits[0], nil
}

// byIndex finds the record of the lowest key with exactly this secondary key.
func (s *Store) byIndex(ctx context.Context, sp space, index, secondary string) (meta.Record, error) {
	lower := append(escape(sp.index(index), secondary), keyEnd...)
	hits, err := s.hits(ctx, sp, index, lower, after(lower), 1, false)
	if err != nil {
		return meta.Record{}, err
	}
	return hits[0].Record, nil
}
