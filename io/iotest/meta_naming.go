package iotest

import (
	"fmt"

	"github.com/novastream/nova/io/meta"
)

// metaNamingCases are the listings of the natural-sorted keyspace.
func metaNamingCases() []Case[MetaHarness] {
	return []Case[MetaHarness]{
		{"naming/list in bytewise order", caseMetaNamingOrder},
		{"naming/list pages", caseMetaNamingPages},
		{"naming/any slashes", caseMetaNamingSlashes},
	}
}

func (h MetaHarness) wantList(n meta.Naming, prefix, after string, limit int, want ...string) {
	h.T.Helper()
	recs, err := n.Fresh().List(h.Ctx, prefix, after, limit)
	h.must(err, "list %q after %q", prefix, after)
	h.wantKeys(fmt.Sprintf("list %q after %q limit %d", prefix, after, limit), recs, want)
}

// In hierarchical order the keys of fewer "/" would come first; here "/" is a byte like another.
func caseMetaNamingOrder(h MetaHarness) {
	n := h.Client().Naming
	for _, key := range []string{"s/b/z", "s/b", "s/a/1/2", "s/a-1", "s/a/1", "s/a0", "s/a", "s", "t", "s/é", "s/~"} {
		h.put(namingPoints{n}, key, key, meta.Absent())
	}
	h.wantList(n, "s/", "", 100, "s/a", "s/a-1", "s/a/1", "s/a/1/2", "s/a0", "s/b", "s/b/z", "s/~", "s/é")
	h.wantList(n, "s/a", "", 100, "s/a", "s/a-1", "s/a/1", "s/a/1/2", "s/a0")
	h.wantList(n, "s/a/", "", 100, "s/a/1", "s/a/1/2")
	h.wantList(n, "", "", 3, "s", "s/a", "s/a-1")
	h.wantList(n, "s/c", "", 100)
}

func caseMetaNamingPages(h MetaHarness) {
	n := h.Client().Naming
	var keys []string
	for i := range 30 {
		keys = append(keys, fmt.Sprintf("s/%02d/x", i))
		h.put(namingPoints{n}, keys[i], "v", meta.Absent())
	}
	h.put(namingPoints{n}, "t/00", "v", meta.Absent())
	after := ""
	for i := 0; i < len(keys); i += 8 {
		page := keys[i:min(i+8, len(keys))]
		h.wantList(n, "s/", after, 8, page...)
		after = page[len(page)-1]
	}
	h.wantList(n, "s/", after, 8)
	h.wantList(n, "s/", "s/09", 2, keys[9], keys[10])
	h.wantList(n, "s/", "a", 1, keys[0])
	h.wantList(n, "s/", "z", 1)
}

func caseMetaNamingSlashes(h MetaHarness) {
	n := h.Client().Naming
	keys := []string{"/", "//", "/a", "a/", "a//b"}
	for _, key := range keys {
		v := h.put(namingPoints{n}, key, key, meta.Absent())
		h.wantRecord(namingPoints{n}, key, key, v)
	}
	h.wantList(n, "", "", 100, keys...)
}
