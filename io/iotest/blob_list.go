package iotest

import (
	"fmt"
	"slices"
	"strings"
)

func blobListCases() []Case[BlobHarness] {
	return []Case[BlobHarness]{
		{"list/order and prefixes", caseBlobListOrder},
		{"list/pages", caseBlobListPages},
		{"list/shows what was answered", caseBlobListFresh},
	}
}

func (h BlobHarness) wantList(prefix, after string, limit int, want ...string) {
	h.T.Helper()
	infos, err := h.Store.List(h.Ctx, prefix, after, limit)
	h.must(err, "list %q after %q", prefix, after)
	got := make([]string, 0, len(infos))
	for _, info := range infos {
		got = append(got, info.Key)
		if info.SizeBytes != int64(len(info.Key)) || info.Modified.IsZero() {
			h.fatalf("list %q: %+v does not describe its object", prefix, info)
		}
	}
	if !slices.Equal(got, want) {
		h.fatalf("list %q after %q limit %d: got %q, want %q", prefix, after, limit, got, want)
	}
}

// "/" sorts as the byte it is: after "-" and ".", before digits and letters.
func caseBlobListOrder(h BlobHarness) {
	sorted := []string{
		"a", "a-/x", "a-b", "a.b", "a/", "a/-", "a/b", "a/b-c", "a/b/c", "a/b/d/e", "a/b0", "a/c", "a0", "aa", "b", "~",
	}
	sorted = slices.DeleteFunc(sorted, func(key string) bool { return key == "a/" }) // no such key
	sorted = h.able(sorted)
	for i := range sorted { // in another order
		key := sorted[len(sorted)-1-(i+5)%len(sorted)]
		h.create(key, []byte(key))
	}
	below := func(prefix string) []string {
		return slices.DeleteFunc(slices.Clone(sorted), func(key string) bool { return !strings.HasPrefix(key, prefix) })
	}
	h.wantList("", "", 100, sorted...)
	h.wantList("a/", "", 100, below("a/")...)
	h.wantList("a/b", "", 100, below("a/b")...)
	h.wantList("a/b/", "", 100, "a/b/c", "a/b/d/e")
	h.wantList("a/b/d/e", "", 100, "a/b/d/e")
	h.wantList("a/b/d/e/", "", 100)
	h.wantList("a-", "", 100, "a-/x", "a-b")
	h.wantList("none/", "", 100)
	for i, after := range sorted {
		h.wantList("", after, 100, sorted[i+1:]...)
	}
	h.wantList("a/", "a/b/c", 3, "a/b/d/e", "a/b0", "a/c")
	h.wantList("a/", "a", 1, "a/-")
	h.wantList("a/", "a/b/", 1, "a/b/c")
	h.wantList("a/", "b", 10)
}

func caseBlobListPages(h BlobHarness) {
	var keys []string
	for dir := range 5 {
		for i := range 13 {
			keys = append(keys, fmt.Sprintf("p/%d/%03d", dir, i))
		}
	}
	for _, key := range keys {
		h.create(key, []byte(key))
	}
	h.create("q/0/000", []byte("q/0/000"))
	for _, limit := range []int{1, 7, 13, 64, 65, 1000} {
		after := ""
		for i := 0; i < len(keys); i += limit {
			page := keys[i:min(i+limit, len(keys))]
			h.wantList("p/", after, limit, page...)
			after = page[len(page)-1]
		}
		h.wantList("p/", after, limit)
	}
}

func caseBlobListFresh(h BlobHarness) {
	var keys []string
	for i := range 30 {
		key := fmt.Sprintf("k/%02d", i)
		if i%2 == 0 {
			h.create(key, []byte(key))
		} else {
			h.must(h.Store.Put(h.Ctx, key, []byte(key)), "put %q", key)
		}
		keys = append(keys, key)
		h.wantList("k/", "", 100, keys...)
	}
	for len(keys) > 0 {
		h.must(h.Store.Delete(h.Ctx, keys[0]), "delete")
		keys = keys[1:]
		h.wantList("k/", "", 100, keys...)
	}
}
