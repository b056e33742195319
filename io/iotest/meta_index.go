package iotest

import (
	"fmt"

	"github.com/novastream/nova/io/meta"
)

// metaIndexCases are the secondary indexes of the hierarchical keyspace.
func metaIndexCases() []Case[MetaHarness] {
	return []Case[MetaHarness]{
		{"index/get", caseMetaIndexGet},
		{"index/puts replace entries", caseMetaIndexReplace},
		{"index/deletes drop entries", caseMetaIndexDelete},
		{"index/floor", caseMetaIndexFloor},
		{"index/scan", caseMetaIndexScan},
		{"index/naming", caseMetaIndexNaming},
	}
}

func by(entries ...string) (indexes []meta.Index) {
	for i := 0; i < len(entries); i += 2 {
		indexes = append(indexes, meta.Index{Name: entries[i], Key: entries[i+1]})
	}
	return indexes
}

func (h MetaHarness) putIndexed(p points, key string, expect meta.Expect, entries ...string) meta.Version {
	h.T.Helper()
	v, err := p.PutIndexed(h.Ctx, key, []byte(key), expect, by(entries...))
	h.must(err, "put %q with indexes %q", key, entries)
	return v
}

// wantIndexed wants key under each of the entries (index, secondary, ...).
func (h MetaHarness) wantIndexed(p points, key string, entries ...string) {
	h.T.Helper()
	for i := 0; i < len(entries); i += 2 {
		rec, err := p.fresh().GetByIndex(h.Ctx, entries[i], entries[i+1])
		h.must(err, "get by %s %q", entries[i], entries[i+1])
		if rec.Key != key || string(rec.Value) != key || rec.Version == 0 && rec.Created.IsZero() {
			h.fatalf("get by %s %q: got %q = %q, want %q", entries[i], entries[i+1], rec.Key, rec.Value, key)
		}
	}
}

// wantUnindexed wants nothing under each of the entries.
func (h MetaHarness) wantUnindexed(p points, entries ...string) {
	h.T.Helper()
	for i := 0; i < len(entries); i += 2 {
		rec, err := p.fresh().GetByIndex(h.Ctx, entries[i], entries[i+1])
		h.wants(err, fmt.Sprintf("get by %s %q (got %q)", entries[i], entries[i+1], rec.Key), meta.ErrNotFound)
	}
}

func caseMetaIndexGet(h MetaHarness) {
	p := metastorePoints{h.records()}
	h.putIndexed(p, "p/a", meta.Absent(), "x", "1", "x", "2", "y", "1")
	h.putIndexed(p, "p/c", meta.Absent(), "x", "3")
	h.putIndexed(p, "p/b", meta.Absent(), "x", "3")
	h.wantIndexed(p, "p/a", "x", "1", "x", "2", "y", "1")
	h.wantIndexed(p, "p/b", "x", "3") // of several the one with the lowest key
	h.wantUnindexed(p, "x", "", "x", "0", "x", "11", "y", "2", "z", "1", "xy", "1")
}

func caseMetaIndexReplace(h MetaHarness) {
	p := metastorePoints{h.records()}
	v := h.putIndexed(p, "p/a", meta.Absent(), "x", "1", "y", "1")
	v = h.putIndexed(p, "p/a", meta.At(v), "x", "2", "y", "1")
	h.wantUnindexed(p, "x", "1")
	h.wantIndexed(p, "p/a", "x", "2", "y", "1")
	_, err := p.PutIndexed(h.Ctx, "p/a", []byte("late"), meta.At(v-1), by("x", "9"))
	h.wants(err, "put indexed at a version of the past", meta.ErrConflict)
	h.wantUnindexed(p, "x", "9")
	h.wantIndexed(p, "p/a", "x", "2")
	h.put(p, "p/a", "plain", meta.At(v))
	h.wantUnindexed(p, "x", "2", "y", "1")
	h.putIndexed(p, "p/a", meta.Any(), "x", "5")
	h.wantIndexed(p, "p/a", "x", "5")
	h.putIndexed(p, "p/a", meta.Any())
	h.wantUnindexed(p, "x", "5")
}

func caseMetaIndexDelete(h MetaHarness) {
	m := h.records()
	p := metastorePoints{m}
	for _, key := range []string{"p/1", "p/2", "p/3", "q/4"} {
		h.putIndexed(p, key, meta.Absent(), "x", key[2:])
	}
	h.must(m.Delete(h.Ctx, "p/1", meta.Any()), "delete")
	h.wantUnindexed(p, "x", "1")
	h.must(m.DeleteRange(h.Ctx, "p", "2", "3"), "delete range")
	h.wantUnindexed(p, "x", "2")
	h.wantIndexed(p, "p/3", "x", "3")
	h.must(m.DeleteChildren(h.Ctx, "p"), "delete children")
	h.wantUnindexed(p, "x", "3")
	h.wantIndexed(p, "q/4", "x", "4")
}

func caseMetaIndexFloor(h MetaHarness) {
	m := h.records()
	p := metastorePoints{m}
	h.putIndexed(p, "p/a", meta.Absent(), "ts", "s1@10", "other", "s1@99")
	h.putIndexed(p, "p/b", meta.Absent(), "ts", "s1@20")
	h.putIndexed(p, "p/c", meta.Absent(), "ts", "s1@30")
	h.putIndexed(p, "p/d", meta.Absent(), "ts", "s0@50")
	h.putIndexed(p, "p/e", meta.Absent(), "ts", "s2@05")
	for _, c := range []struct{ probe, secondary, key string }{
		{"s1@10", "s1@10", "p/a"}, {"s1@19", "s1@10", "p/a"}, {"s1@20", "s1@20", "p/b"},
		{"s1@299", "s1@20", "p/b"}, {"s1@30", "s1@30", "p/c"}, {"s1@99", "s1@30", "p/c"},
	} {
		hit, err := m.Fresh().FloorIndex(h.Ctx, "ts", "s1@", c.probe)
		h.must(err, "floor index at %q", c.probe)
		if hit.Secondary != c.secondary || hit.Record.Key != c.key || string(hit.Record.Value) != c.key {
			h.fatalf("floor index at %q: got %q -> %q, want %q -> %q", c.probe, hit.Secondary, hit.Record.Key, c.secondary, c.key)
		}
	}
	for _, c := range []struct{ index, prefix, probe string }{
		{"ts", "s1@", "s1@09"}, {"ts", "s2@", "s2@04"}, {"ts", "s3@", "s3@99"}, {"none", "s1@", "s1@99"},
	} {
		_, err := m.Fresh().FloorIndex(h.Ctx, c.index, c.prefix, c.probe)
		h.wants(err, fmt.Sprintf("floor index %s %q at %q", c.index, c.prefix, c.probe), meta.ErrNotFound)
	}
}

func caseMetaIndexScan(h MetaHarness) {
	m := h.records()
	p := metastorePoints{m}
	h.putIndexed(p, "p/z", meta.Absent(), "x", "s-10", "x", "s-25")
	h.putIndexed(p, "p/y", meta.Absent(), "x", "s-20")
	h.putIndexed(p, "p/x", meta.Absent(), "x", "s-30")
	h.putIndexed(p, "p/w", meta.Absent(), "x", "r-99", "x", "t-00", "y", "s-15")
	for _, c := range []struct {
		prefix, after string
		limit         int
		want          []string
	}{
		{"s-", "", 10, []string{"s-10", "p/z", "s-20", "p/y", "s-25", "p/z", "s-30", "p/x"}},
		{"s-", "", 2, []string{"s-10", "p/z", "s-20", "p/y"}},
		{"s-", "s-20", 10, []string{"s-25", "p/z", "s-30", "p/x"}},
		{"s-", "s-200", 1, []string{"s-25", "p/z"}},
		{"s-2", "", 10, []string{"s-20", "p/y", "s-25", "p/z"}},
		{"s-", "s-30", 10, nil},
		{"q", "", 10, nil},
	} {
		hits, err := m.Fresh().ScanIndex(h.Ctx, "x", c.prefix, c.after, c.limit)
		h.must(err, "scan index %q after %q", c.prefix, c.after)
		var got []string
		for _, hit := range hits {
			got = append(got, hit.Secondary, hit.Record.Key)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			h.fatalf("scan index %q after %q limit %d: got %q, want %q", c.prefix, c.after, c.limit, got, c.want)
		}
	}
}

func caseMetaIndexNaming(h MetaHarness) {
	p := namingPoints{h.Client().Naming}
	v := h.putIndexed(p, "streams/b/a/deep", meta.Absent(), "stream-id", "id1")
	h.wantIndexed(p, "streams/b/a/deep", "stream-id", "id1")
	h.putIndexed(p, "streams/b/a/deep", meta.At(v), "stream-id", "id2")
	h.wantUnindexed(p, "stream-id", "id1")
	h.wantIndexed(p, "streams/b/a/deep", "stream-id", "id2")
	h.must(p.Delete(h.Ctx, "streams/b/a/deep", meta.Any()), "delete")
	h.wantUnindexed(p, "stream-id", "id2")
}
