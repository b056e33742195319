package iotest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/novastream/nova/io/blob"
)

// BlobScript is a sequence of operations on a store. Stores that pass the same scripts agree with a model of the contract and
// so with one another, in every operation, order and error.
type BlobScript []blobOp

// blobOp is one operation. Which fields it uses depends on its name.
type blobOp struct {
	name  string
	keys  []string // delete takes them all, the others the first
	size  int
	rng   blobRange
	limit int
	after string // list: above it; its prefix is the key
}

// blobRange is a range that prints itself.
type blobRange struct {
	kind           string // all, span or suffix
	offset, length int64
}

func (r blobRange) of() blob.Range {
	switch r.kind {
	case "span":
		return blob.Span(r.offset, r.length)
	case "suffix":
		return blob.Suffix(r.length)
	default:
		return blob.All()
	}
}

// String is the operation as a failed script shows it.
func (o blobOp) String() string {
	return fmt.Sprintf("%s %q: size=%d range=%v limit=%d after=%q", o.name, o.keys, o.size, o.rng, o.limit, o.after)
}

// GoString is String: rapid shows drawn values by it.
func (o blobOp) GoString() string { return "\n\t" + o.String() }

// BlobScripts generates scripts. fileNames says that the stores keep objects as files of the keys' own names.
func BlobScripts(fileNames bool) *rapid.Generator[BlobScript] {
	keys := blobKeys(fileNames)
	op := rapid.Custom(func(t *rapid.T) blobOp { return drawBlobOp(t, keys) })
	return rapid.Custom(func(t *rapid.T) BlobScript { return rapid.SliceOfN(op, 1, 50).Draw(t, "script") })
}

// blobKeys are keys such that orders differ: bytewise, by segments, with folders above or below the keys beside them.
func blobKeys(fileNames bool) []string {
	segments := []string{"a", "a-", "a.", "a0", "~", "B"}
	var keys []string
	for _, first := range segments {
		keys = append(keys, first+"/a", first+"/a-b", first+"/a.b/c")
		if !fileNames {
			keys = append(keys, first, first+"/a/b", first+"/a.b")
		}
	}
	return keys
}

// badBlobKeys are none.
func badBlobKeys() []string { return []string{"", "/a", "a//b", "a/", "a/../b", "é", "a b"} }

func drawBlobOp(t *rapid.T, keys []string) blobOp {
	key := rapid.SampledFrom(keys)
	o := blobOp{name: oneOf(t, "op", "create", "create", "put", "get", "get", "head", "list", "list", "delete")}
	o.keys = []string{key.Draw(t, "key")}
	switch {
	case o.name == "delete":
		o.keys = rapid.SliceOfN(key, 0, 4).Draw(t, "keys")
	case o.name == "list":
		o.keys[0] = o.keys[0][:rapid.IntRange(0, len(o.keys[0])).Draw(t, "prefix")]
		if rapid.Bool().Draw(t, "goes on") {
			o.after = key.Draw(t, "after")
		}
		o.limit = rapid.IntRange(1, 12).Draw(t, "limit")
		return o
	}
	if len(o.keys) > 0 && rapid.IntRange(0, 19).Draw(t, "bad") == 0 {
		o.keys[0] = rapid.SampledFrom(badBlobKeys()).Draw(t, "bad key")
	}
	o.size = rapid.SampledFrom([]int{0, 1, 2, 100, 5000}).Draw(t, "size")
	o.rng = blobRange{
		kind:   oneOf(t, "range", "all", "span", "span", "suffix"),
		offset: rapid.SampledFrom([]int64{0, 1, 99, 100, 4999}).Draw(t, "offset"),
		length: rapid.SampledFrom([]int64{1, 2, 100, 1 << 40}).Draw(t, "length"),
	}
	return o
}

// bad says whether the contract refuses the operation.
func (o blobOp) bad() bool {
	if o.name == "list" {
		return false
	}
	for _, key := range o.keys {
		if blob.CheckKey(key) != nil {
			return true
		}
	}
	return false
}

// matches says whether a listing shows a key.
func (o blobOp) matches(key string) bool { return strings.HasPrefix(key, o.keys[0]) && key > o.after }
