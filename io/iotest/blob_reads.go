package iotest

import (
	"bytes"
	"context"
	"fmt"

	"github.com/novastream/nova/io/blob"
)

func blobReadCases() []Case[BlobHarness] {
	return []Case[BlobHarness]{
		{"read/ranges", caseBlobRanges},
		{"read/ranges past the end", caseBlobPastEnd},
		{"read/large object", caseBlobLarge},
		{"read/many at once", caseBlobManyReads},
	}
}

func caseBlobRanges(h BlobHarness) {
	data := pattern(10_000, 1)
	h.create("k", data)
	for _, c := range []struct {
		name string
		r    blob.Range
		want []byte
	}{
		{"all", blob.All(), data},
		{"first byte", blob.Span(0, 1), data[:1]},
		{"middle", blob.Span(1234, 4321), data[1234:5555]},
		{"last byte", blob.Span(9_999, 1), data[9_999:]},
		{"over the end", blob.Span(9_000, 5_000), data[9_000:]},
		{"whole span", blob.Span(0, 10_000), data},
		{"far over the end", blob.Span(0, 1<<40), data},
		{"suffix", blob.Suffix(16), data[9_984:]},
		{"suffix longer than the object", blob.Suffix(20_000), data},
	} {
		got, err := h.Store.Get(h.Ctx, "k", c.r)
		h.must(err, "get %s", c.name)
		if !bytes.Equal(got, c.want) {
			h.fatalf("get %s: %d bytes %.10x, want %d bytes %.10x", c.name, len(got), got, len(c.want), c.want)
		}
	}
}

func caseBlobPastEnd(h BlobHarness) {
	h.create("k", pattern(100, 1))
	h.create("empty", nil)
	for _, offset := range []int64{100, 101, 1 << 40} {
		_, err := h.Store.Get(h.Ctx, "k", blob.Span(offset, 10))
		h.wants(err, fmt.Sprintf("get from %d of 100 bytes", offset), blob.ErrRange)
	}
	_, err := h.Store.Get(h.Ctx, "empty", blob.Span(0, 1))
	h.wants(err, "get from an empty object", blob.ErrRange)
	for _, r := range []blob.Range{blob.All(), blob.Suffix(10)} {
		got, err := h.Store.Get(h.Ctx, "empty", r)
		h.must(err, "get of an empty object")
		if len(got) != 0 {
			h.fatalf("an empty object gave %d bytes", len(got))
		}
	}
	_, err = h.Store.Get(h.Ctx, "none", blob.Span(0, 10))
	h.wants(err, "get of no object", blob.ErrNotFound)
	_, err = h.Store.Get(h.Ctx, "none", blob.Suffix(10))
	h.wants(err, "get of no object's suffix", blob.ErrNotFound)
}

func caseBlobLarge(h BlobHarness) {
	data := pattern(8<<20, 9)
	h.create("large/8MiB", data)
	h.wantObject("large/8MiB", data)
	got, err := h.Store.Get(h.Ctx, "large/8MiB", blob.Span(5<<20, 1<<20))
	h.must(err, "get a span of 8 MiB")
	if !bytes.Equal(got, data[5<<20:6<<20]) {
		h.fatalf("a span of 8 MiB came back wrong")
	}
	got, err = h.Store.Get(h.Ctx, "large/8MiB", blob.Suffix(64<<10))
	h.must(err, "get the suffix of 8 MiB")
	if !bytes.Equal(got, data[len(data)-64<<10:]) {
		h.fatalf("the suffix of 8 MiB came back wrong")
	}
}

func caseBlobManyReads(h BlobHarness) {
	data := pattern(100_000, 4)
	h.create("k", data)
	h.together(16, func(ctx context.Context, i int) {
		for j := range 20 {
			offset := int64(i*5000 + j)
			got, err := h.Store.Get(ctx, "k", blob.Span(offset, 777))
			h.must(err, "get")
			if !bytes.Equal(got, data[offset:offset+777]) {
				h.fatalf("reader %d got wrong bytes from %d", i, offset)
			}
		}
	})
}
