package iotest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/novastream/nova/io/blob"
)

// BlobHarness is what a case of a store is given.
type BlobHarness struct {
	Harness
	Store blob.Store // empty
	// FileNames says that the store keeps an object as a file of the key's own name. Cases then do without keys that are
	// folders of others, and without segments that are too long for a file's name.
	FileNames bool
}

// Blob is the suite of package blob.
func Blob() []Case[BlobHarness] {
	return slices.Concat(blobWriteCases(), blobReadCases(), blobListCases(), blobKeyCases())
}

// maxFileName is the longest name of a file, in bytes.
const maxFileName = 255

// able is those of the keys that the store can hold at once.
func (h BlobHarness) able(keys []string) []string {
	if !h.FileNames {
		return keys
	}
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		folder := slices.ContainsFunc(keys, func(other string) bool { return strings.HasPrefix(other, key+"/") })
		long := slices.ContainsFunc(strings.Split(key, "/"), func(segment string) bool { return len(segment) > maxFileName })
		return folder || long
	})
}

// create creates an object and must succeed.
func (h BlobHarness) create(key string, data []byte) {
	h.T.Helper()
	outcome, err := h.Store.PutIfAbsent(h.Ctx, key, data)
	if outcome != blob.Created || err != nil {
		h.fatalf("create %q: %v, %v", key, outcome, err)
	}
}

// wantObject reads a whole object and compares.
func (h BlobHarness) wantObject(key string, data []byte) {
	h.T.Helper()
	got, err := h.Store.Get(h.Ctx, key, blob.All())
	h.must(err, "get %q", key)
	if !bytes.Equal(got, data) {
		h.fatalf("get %q: %d bytes %.20q, want %d bytes %.20q", key, len(got), got, len(data), data)
	}
	info, err := h.Store.Head(h.Ctx, key)
	h.must(err, "head %q", key)
	if info.Key != key || info.SizeBytes != int64(len(data)) || info.Modified.IsZero() {
		h.fatalf("head %q: %+v, want %d bytes", key, info, len(data))
	}
}

// wantNone wants that there is no such object.
func (h BlobHarness) wantNone(key string) {
	h.T.Helper()
	_, err := h.Store.Get(h.Ctx, key, blob.All())
	h.wants(err, "get "+key, blob.ErrNotFound)
	_, err = h.Store.Head(h.Ctx, key)
	h.wants(err, "head "+key, blob.ErrNotFound)
}
