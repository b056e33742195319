package simmeta

import (
	"context"
	"slices"
	"strings"

	"github.com/novastream/nova/io/meta"
)

// FloorGet reads the child of prefix with the greatest key at or below prefix/probe.
func (v *view) FloorGet(ctx context.Context, prefix, probe string) (meta.Record, error) {
	if checkKey(prefix) != nil || checkName(probe) != nil {
		return meta.Record{}, &opError{"floor get", prefix, meta.ErrInvalid}
	}
	high := child(prefix, probe)
	low := rowKey{high.depth, high.key[:len(prefix)+1]}
	return readAll(ctx, v, "meta.floor-get", prefix, func(states []*state) (meta.Record, error) {
		var best *row
		for _, s := range states {
			if r, ok := s.floor(low, high); ok && (best == nil || r.key > best.key) {
				best = r
			}
		}
		if best == nil {
			return meta.Record{}, &opError{"floor get", prefix + "/" + probe, meta.ErrNotFound}
		}
		for _, hook := range v.client.store.onFloor {
			hook(v.client.process, prefix, *best.peek())
		}
		return best.record(), nil
	})
}

// Scan reads children of prefix, ascending.
func (v *view) Scan(ctx context.Context, prefix, after string, limit int) ([]meta.Record, error) {
	if checkKey(prefix) != nil || limit <= 0 || (after != "" && checkName(after) != nil) {
		return nil, &opError{"scan", prefix, meta.ErrInvalid}
	}
	from := rowKey{}
	if after != "" {
		from = child(prefix, after)
	}
	return v.scan(ctx, "meta.scan", prefix, child(prefix, ""), from, child(prefix, above), limit)
}

// scan copies what it found only when the answer is there: rows never change, and of a large fleet many answers are under way.
func (v *view) scan(ctx context.Context, kind, prefix string, low, after, high rowKey, limit int) ([]meta.Record, error) {
	slates := &v.client.store.slates
	found, err := readAll(ctx, v, kind, prefix, func(states []*state) ([]*row, error) {
		found := slates.take()
		for _, s := range states {
			found = s.span(found, low, after, high, limit)
		}
		if len(states) > 1 {
			slices.SortStableFunc(found, func(a, b *row) int { return strings.Compare(a.key, b.key) })
		}
		return found[:min(limit, len(found))], nil
	})
	if err != nil {
		return nil, err
	}
	records := recordsOf(found)
	slates.giveBack(found)
	return records, nil
}

// slates are lists of rows that nobody uses any more.
type slates [][]*row

func (s *slates) take() []*row {
	if n := len(*s); n > 0 {
		slate := (*s)[n-1]
		*s = (*s)[:n-1]
		return slate
	}
	return nil
}

func (s *slates) giveBack(slate []*row) {
	clear(slate)
	*s = append(*s, slate[:0])
}

// recordsOf are rows as a reader gets them. Their values are the reader's own, and lie in one piece of memory.
func recordsOf(rows []*row) []meta.Record {
	size := 0
	for _, r := range rows {
		size += len(r.value)
	}
	values := make([]byte, 0, size)
	records := make([]meta.Record, len(rows))
	for i, r := range rows {
		from := len(values)
		values = append(values, r.value...)
		records[i] = *r.peek()
		records[i].Value = values[from:len(values):len(values)]
	}
	return records
}

// FloorIndex finds the greatest secondary key at or below probe that starts with prefix.
func (v *view) FloorIndex(ctx context.Context, index, prefix, probe string) (meta.IndexHit, error) {
	if checkName(index) != nil {
		return meta.IndexHit{}, &opError{"floor index " + index, prefix, meta.ErrInvalid}
	}
	return readAll(ctx, v, "meta.floor-index", prefix, func(states []*state) (meta.IndexHit, error) {
		var best hit
		top := min(probe, prefix+above)
		for _, s := range states {
			h, ok := s.floorHit(index, prefix, top)
			if ok && (best.row == nil || compareHits(hitKey{h.secondary, best.row.key}, hitKey{best.secondary, h.row.key}) > 0) {
				best = h
			}
		}
		if best.row == nil {
			return meta.IndexHit{}, &opError{"floor index " + index, probe, meta.ErrNotFound}
		}
		return meta.IndexHit{Secondary: best.secondary, Record: best.row.record()}, nil
	})
}

// ScanIndex finds records by ascending secondary key.
func (v *view) ScanIndex(ctx context.Context, index, prefix, after string, limit int) ([]meta.IndexHit, error) {
	if checkName(index) != nil || limit <= 0 {
		return nil, &opError{"scan index " + index, prefix, meta.ErrInvalid}
	}
	return readAll(ctx, v, "meta.scan-index", prefix, func(states []*state) ([]meta.IndexHit, error) {
		var found []hit
		for _, s := range states {
			found = append(found, s.spanHits(index, prefix, after, prefix+above, limit)...)
		}
		if len(states) > 1 {
			slices.SortStableFunc(found, func(a, b hit) int {
				return compareHits(hitKey{a.secondary, a.row.key}, hitKey{b.secondary, b.row.key})
			})
		}
		found = found[:min(limit, len(found))]
		list := make([]meta.IndexHit, len(found))
		for i, h := range found {
			list[i] = meta.IndexHit{Secondary: h.secondary, Record: h.row.record()}
		}
		return list, nil
	})
}

// GetByIndex finds the record with a secondary key.
func (v *view) GetByIndex(ctx context.Context, index, secondary string) (meta.Record, error) {
	if checkName(index) != nil {
		return meta.Record{}, &opError{"get by index " + index, secondary, meta.ErrInvalid}
	}
	return readAll(ctx, v, "meta.get-by-index", secondary, func(states []*state) (meta.Record, error) {
		var best *row
		for _, s := range states {
			if r, ok := s.byIndex(index, secondary); ok && (best == nil || r.key < best.key) {
				best = r
			}
		}
		if best == nil {
			return meta.Record{}, &opError{"get by index " + index, secondary, meta.ErrNotFound}
		}
		return best.record(), nil
	})
}

// naming is one process's view of the naming service.
type naming struct{ view }

var _ meta.Naming = (*naming)(nil)

// Fresh is the view whose reads are linearizable.
func (n *naming) Fresh() meta.Naming {
	w := *n
	w.fresh = true
	return &w
}

// List reads records whose key starts with prefix, in bytewise order.
func (n *naming) List(ctx context.Context, prefix, after string, limit int) ([]meta.Record, error) {
	if limit <= 0 {
		return nil, &opError{"list", prefix, meta.ErrInvalid}
	}
	return n.scan(ctx, "meta.list", prefix, rowKey{0, prefix}, rowKey{0, after}, rowKey{0, prefix + above}, limit)
}
