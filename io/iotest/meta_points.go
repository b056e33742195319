package iotest

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/novastream/nova/io/meta"
)

// metaPointCases are the point operations, on one keyspace.
func metaPointCases(space string, open func(meta.Spaces) points) []Case[MetaHarness] {
	cases := []struct {
		name string
		run  func(MetaHarness, points)
	}{
		{"put and get", caseMetaPutGet},
		{"expected version", caseMetaExpectVersion},
		{"expected absent", caseMetaExpectAbsent},
		{"expected anything", caseMetaExpectAny},
		{"delete", caseMetaDelete},
		{"versions never repeat", caseMetaVersions},
		{"stamps", caseMetaStamps},
		{"value sizes", caseMetaSizes},
		{"values are not shared", caseMetaOwnership},
		{"plain reads", caseMetaPlainReads},
		{"ended contexts", caseMetaContexts},
		{"bad keys", caseMetaBadKeys},
	}
	out := make([]Case[MetaHarness], 0, len(cases))
	for _, c := range cases {
		out = append(out, Case[MetaHarness]{space + "/" + c.name, func(h MetaHarness) { c.run(h, open(h.Client().Spaces)) }})
	}
	return out
}

func caseMetaPutGet(h MetaHarness, p points) {
	h.wantAbsent(p, "a/b")
	v1 := h.put(p, "a/b", "one", meta.Absent())
	h.wantRecord(p, "a/b", "one", v1)
	v2 := h.put(p, "a/b", "two", meta.At(v1))
	if v2 == v1 {
		h.fatalf("two puts share version %d", v1)
	}
	h.wantRecord(p, "a/b", "two", v2)
	h.wantAbsent(p, "a")
	h.wantAbsent(p, "a/b/c")
	h.wantAbsent(p, "a/bb")
	for _, key := range []string{"é/日本", "sp ace/tab\t", "~", "a\x01b", strings.Repeat("k", 600)} {
		h.wantRecord(p, key, key, h.put(p, key, key, meta.Absent()))
	}
}

func caseMetaExpectVersion(h MetaHarness, p points) {
	v1 := h.put(p, "k", "one", meta.Absent())
	v2 := h.put(p, "k", "two", meta.At(v1))
	_, err := p.Put(h.Ctx, "k", []byte("late"), meta.At(v1))
	h.wants(err, "put at a version of the past", meta.ErrConflict)
	_, err = p.Put(h.Ctx, "k", []byte("early"), meta.At(v2+1))
	h.wants(err, "put at a version of the future", meta.ErrConflict)
	_, err = p.Put(h.Ctx, "none", []byte("x"), meta.At(v2))
	h.wants(err, "put of an absent key at a version", meta.ErrConflict)
	h.wantRecord(p, "k", "two", v2)
	h.wantAbsent(p, "none")
	h.wants(p.Delete(h.Ctx, "k", meta.At(v1)), "delete at a version of the past", meta.ErrConflict)
	h.wantRecord(p, "k", "two", v2)
}

func caseMetaExpectAbsent(h MetaHarness, p points) {
	v := h.put(p, "k", "one", meta.Absent())
	_, err := p.Put(h.Ctx, "k", []byte("two"), meta.Absent())
	h.wants(err, "create of what exists", meta.ErrConflict)
	_, err = p.PutIndexed(h.Ctx, "k", []byte("two"), meta.Absent(), []meta.Index{{Name: "x", Key: "s"}})
	h.wants(err, "indexed create of what exists", meta.ErrConflict)
	h.wantRecord(p, "k", "one", v)
	_, err = p.fresh().GetByIndex(h.Ctx, "x", "s")
	h.wants(err, "index of a refused put", meta.ErrNotFound)
	h.must(p.Delete(h.Ctx, "k", meta.At(v)), "delete")
	h.wantRecord(p, "k", "three", h.put(p, "k", "three", meta.Absent()))
}

func caseMetaExpectAny(h MetaHarness, p points) {
	v1 := h.put(p, "k", "one", meta.Any())
	h.wantRecord(p, "k", "one", v1)
	v2 := h.put(p, "k", "two", meta.Any())
	h.wantRecord(p, "k", "two", v2)
	h.must(p.Delete(h.Ctx, "k", meta.Any()), "delete whatever is there")
	h.wantAbsent(p, "k")
}

func caseMetaDelete(h MetaHarness, p points) {
	v := h.put(p, "k", "one", meta.Absent())
	h.put(p, "k/child", "child", meta.Absent())
	h.must(p.Delete(h.Ctx, "k", meta.At(v)), "delete")
	h.wantAbsent(p, "k")
	if _, err := p.fresh().Get(h.Ctx, "k/child"); err != nil {
		h.fatalf("delete of k took k/child along: %v", err)
	}
	h.wants(p.Delete(h.Ctx, "k", meta.Any()), "delete of an absent key", meta.ErrNotFound)
	h.wants(p.Delete(h.Ctx, "k", meta.At(v)), "delete of an absent key at a version", meta.ErrConflict)
}

func caseMetaVersions(h MetaHarness, p points) {
	seen := map[meta.Version]bool{}
	note := func(v meta.Version) meta.Version {
		if seen[v] {
			h.fatalf("version %d came twice", v)
		}
		seen[v] = true
		return v
	}
	var first meta.Version
	for i := range 20 {
		v := note(h.put(p, "k", "born", meta.Absent()))
		if i == 0 {
			first = v
		}
		v = note(h.put(p, "k", "changed", meta.At(v)))
		h.put(p, fmt.Sprintf("other/%d", i), "x", meta.Any())
		h.must(p.Delete(h.Ctx, "k", meta.At(v)), "delete")
	}
	h.put(p, "k", "last", meta.Absent())
	_, err := p.Put(h.Ctx, "k", []byte("ghost"), meta.At(first))
	h.wants(err, "put at the version of an earlier life", meta.ErrConflict)
}

func caseMetaStamps(h MetaHarness, p points) {
	v := h.put(p, "k", "one", meta.Absent())
	born := h.wantRecord(p, "k", "one", v)
	if born.Created.IsZero() || born.Modified.Before(born.Created) {
		h.fatalf("new record: created %v, modified %v", born.Created, born.Modified)
	}
	h.must(h.Run.Sleep(h.Ctx, stampStep), "sleep")
	v = h.put(p, "k", "two", meta.At(v))
	changed := h.wantRecord(p, "k", "two", v)
	if !changed.Created.Equal(born.Created) || !changed.Modified.After(born.Modified) {
		h.fatalf("changed record: created %v then %v, modified %v then %v",
			born.Created, changed.Created, born.Modified, changed.Modified)
	}
	h.must(p.Delete(h.Ctx, "k", meta.At(v)), "delete")
	again := h.wantRecord(p, "k", "three", h.put(p, "k", "three", meta.Absent()))
	if !again.Created.After(born.Created) {
		h.fatalf("record created again keeps the stamp of its earlier life: %v", again.Created)
	}
}

func caseMetaSizes(h MetaHarness, p points) {
	for _, size := range []int{0, 1, 4096, 200_000, maxValueBytes} {
		key := fmt.Sprintf("size/%d", size)
		value := pattern(size, 3)
		v, err := p.Put(h.Ctx, key, value, meta.Absent())
		h.must(err, "put %d bytes", size)
		rec, err := p.fresh().Get(h.Ctx, key)
		h.must(err, "get %d bytes", size)
		if !bytes.Equal(rec.Value, value) || rec.Version != v {
			h.fatalf("%d bytes came back as %d other ones, at %d not %d", size, len(rec.Value), rec.Version, v)
		}
	}
	_, err := p.Put(h.Ctx, "size/over", pattern(maxValueBytes+1, 3), meta.Absent())
	h.wants(err, "put of more than 1 MiB", meta.ErrInvalid)
	h.wantAbsent(p, "size/over")
}

func caseMetaOwnership(h MetaHarness, p points) {
	given := []byte("given")
	v, err := p.Put(h.Ctx, "k", given, meta.Absent())
	h.must(err, "put")
	copy(given, "taken")
	rec := h.wantRecord(p, "k", "given", v)
	copy(rec.Value, "XXXXX")
	h.wantRecord(p, "k", "given", v)
}

func caseMetaPlainReads(h MetaHarness, p points) {
	v := h.put(p, "k", "one", meta.Absent())
	rec, err := p.Get(h.Ctx, "k")
	switch {
	case err != nil: // a plain read may show the state before the put
		h.wants(err, "plain get", meta.ErrNotFound)
	case rec.Version != v || string(rec.Value) != "one":
		h.fatalf("plain get: got %q at %d, which was never written", rec.Value, rec.Version)
	}
}

func caseMetaContexts(h MetaHarness, p points) {
	v := h.put(p, "k", "one", meta.Absent())
	ctx, cancel := h.Run.WithCancel(h.Ctx)
	cancel()
	_, err := p.fresh().Get(ctx, "k")
	h.wants(err, "get in an ended context", context.Canceled)
	_, err = p.Put(ctx, "k", []byte("two"), meta.At(v))
	h.wants(err, "put in an ended context", meta.ErrUnknown, meta.ErrUnavailable)
}

func caseMetaBadKeys(h MetaHarness, p points) {
	bad := []string{"", "bad\xffutf8"}
	if _, hierarchical := p.(metastorePoints); hierarchical {
		bad = append(bad, "/", "/a", "a/", "a//b")
	} else {
		bad = append(bad, "zero\x00byte")
	}
	for _, key := range bad {
		what := fmt.Sprintf("key %q", key)
		_, err := p.Put(h.Ctx, key, []byte("x"), meta.Any())
		h.wants(err, "put "+what, meta.ErrInvalid)
		_, err = p.PutIndexed(h.Ctx, key, []byte("x"), meta.Any(), nil)
		h.wants(err, "put indexed "+what, meta.ErrInvalid)
		_, err = p.Get(h.Ctx, key)
		h.wants(err, "get "+what, meta.ErrInvalid)
		h.wants(p.Delete(h.Ctx, key, meta.Any()), "delete "+what, meta.ErrInvalid)
	}
	_, err := p.PutIndexed(h.Ctx, "k", []byte("x"), meta.Any(), []meta.Index{{Name: "a/b", Key: "s"}})
	h.wants(err, "index name with a slash", meta.ErrInvalid)
	h.wantAbsent(p, "k")
}
