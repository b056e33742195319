package iotest

import (
	"fmt"
	"strings"

	"github.com/novastream/nova/io/blob"
)

func blobKeyCases() []Case[BlobHarness] {
	return []Case[BlobHarness]{
		{"keys/good ones", caseBlobGoodKeys},
		{"keys/bad ones", caseBlobBadKeys},
	}
}

func caseBlobGoodKeys(h BlobHarness) {
	const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~-"
	long := strings.Repeat("l", 1024)
	keys := []string{
		"a", "a/a", "a/a/a", alphabet, "...", "..a", "a..", "a/.../b", ".hidden", "-dash", "~tilde", "tmp", ".tmp/x",
		"lock", "x.tmp", long, long[:1022] + "/x", long[:300], long[:300] + "/" + long[:300] + "/x", long[:239], long[:240], long[:241],
		long[:255], long[:256], long[:240] + "/x", long[:480], long[:480] + "/x", long[:240] + "../x", long[:240] + "./x",
		long[:240] + "..", "x", strings.Repeat("d/", 511) + "dd",
	}
	keys = h.able(keys)
	for _, key := range keys {
		h.create(key, []byte(key))
	}
	for _, key := range keys {
		h.wantObject(key, []byte(key))
	}
	infos, err := h.Store.List(h.Ctx, "", "", 1000)
	h.must(err, "list")
	if len(infos) != len(keys) {
		h.fatalf("%d keys listed of %d created", len(infos), len(keys))
	}
	for i := 1; i < len(infos); i++ {
		if infos[i-1].Key >= infos[i].Key {
			h.fatalf("%.80q is listed before %.80q", infos[i-1].Key, infos[i].Key)
		}
	}
	h.must(h.Store.Delete(h.Ctx, keys...), "delete all")
	for _, key := range keys {
		h.wantNone(key)
	}
}

func caseBlobBadKeys(h BlobHarness) {
	bad := []string{
		"", "/", "/a", "a/", "a//b", ".", "..", "./a", "../a", "a/.", "a/..", "a/./b", "a/../b", "../../etc/passwd", "/etc/passwd",
		"a\\b", "a b", "a\x00b", "a\nb", "é", "a:b", "a*", "a?", "a%2e", "%2e%2e/a", "a@", "a,b", "a+b", "a=b", "C:/x", strings.Repeat("k", 1025),
	}
	for _, key := range bad {
		what := fmt.Sprintf("key %.40q", key)
		outcome, err := h.Store.PutIfAbsent(h.Ctx, key, []byte("x"))
		if outcome != blob.Unknown {
			h.fatalf("create of %s: %v, want %v", what, outcome, blob.Unknown)
		}
		h.wants(err, "create of "+what, blob.ErrInvalid)
		h.wants(h.Store.Put(h.Ctx, key, []byte("x")), "put of "+what, blob.ErrInvalid)
		_, err = h.Store.Get(h.Ctx, key, blob.All())
		h.wants(err, "get of "+what, blob.ErrInvalid)
		_, err = h.Store.Head(h.Ctx, key)
		h.wants(err, "head of "+what, blob.ErrInvalid)
		h.wants(h.Store.Delete(h.Ctx, key), "delete of "+what, blob.ErrInvalid)
	}
	infos, err := h.Store.List(h.Ctx, "", "", 10)
	h.must(err, "list")
	if len(infos) != 0 {
		h.fatalf("a refused key left %q behind", infos[0].Key)
	}
}
