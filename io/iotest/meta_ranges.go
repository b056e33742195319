package iotest

import (
	"fmt"

	"github.com/novastream/nova/io/meta"
)

// metaRangeCases are the operations over the children of a prefix.
func metaRangeCases() []Case[MetaHarness] {
	return []Case[MetaHarness]{
		{"ranges/scan shows direct children alone", caseMetaScanChildren},
		{"ranges/scan pages", caseMetaScanPages},
		{"ranges/floor", caseMetaFloor},
		{"ranges/delete children", caseMetaDeleteChildren},
		{"ranges/delete range", caseMetaDeleteRange},
		{"ranges/versions survive range deletes", caseMetaRangeVersions},
		{"ranges/namespaces are apart", caseMetaNamespaces},
		{"ranges/bad arguments", caseMetaBadRanges},
	}
}

func (h MetaHarness) records() meta.Metastore { return h.Client().Records.Within("p") }

func caseMetaScanChildren(h MetaHarness) {
	m := h.records()
	h.putRecords(m, "p", "p/b", "p/a", "p/a/x", "p/a/x/y", "p/a-b", "p/a.b", "p/a0", "p/c/d", "p-q", "p-q/a", "p0/a", "q/a", "o/z")
	h.wantScan(m, "p", "", 100, "a", "a-b", "a.b", "a0", "b")
	h.wantScan(m, "p/a", "", 100, "x")
	h.wantScan(m, "p/a/x", "", 100, "y")
	h.wantScan(m, "p/c", "", 100, "d")
	h.wantScan(m, "p/b", "", 100)
	h.wantScan(m, "none", "", 100)
}

func caseMetaScanPages(h MetaHarness) {
	m := h.records()
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("%03d", i))
		h.putRecords(m, "p/"+names[i], "p/"+names[i]+"/below")
	}
	after := ""
	for i := 0; i < len(names); i += 7 {
		page := names[i:min(i+7, len(names))]
		h.wantScan(m, "p", after, 7, page...)
		after = page[len(page)-1]
	}
	h.wantScan(m, "p", after, 7)
	h.wantScan(m, "p", "0195", 2, "020", "021")
	h.wantScan(m, "p", "zzz", 2)
}

func caseMetaFloor(h MetaHarness) {
	m := h.records()
	h.putRecords(m, "o/99", "p/10", "p/20", "p/20/15", "p/30", "p/30/99", "q/10")
	for _, c := range []struct{ probe, want string }{
		{"10", "p/10"}, {"11", "p/10"}, {"2", "p/10"}, {"20", "p/20"}, {"200", "p/20"}, {"29", "p/20"}, {"30", "p/30"}, {"99", "p/30"},
	} {
		rec, err := m.Fresh().FloorGet(h.Ctx, "p", c.probe)
		h.must(err, "floor p at %q", c.probe)
		if rec.Key != c.want || string(rec.Value) != c.want {
			h.fatalf("floor p at %q: got %q = %q, want %q", c.probe, rec.Key, rec.Value, c.want)
		}
	}
	for _, c := range []struct{ prefix, probe string }{{"p", "0"}, {"p", "1"}, {"q", "0"}, {"none", "99"}, {"p/10", "99"}} {
		_, err := m.Fresh().FloorGet(h.Ctx, c.prefix, c.probe)
		h.wants(err, fmt.Sprintf("floor %s at %q", c.prefix, c.probe), meta.ErrNotFound)
	}
	h.must(m.Delete(h.Ctx, "p/20", meta.Any()), "delete")
	rec, err := m.Fresh().FloorGet(h.Ctx, "p", "29")
	h.must(err, "floor after delete")
	if rec.Key != "p/10" {
		h.fatalf("floor p at 29 after the delete of p/20: got %q", rec.Key)
	}
}

func caseMetaDeleteChildren(h MetaHarness) {
	m := h.records()
	h.putRecords(m, "p", "p/a", "p/b", "p/b/deep", "p-q/a", "p0", "q/a")
	h.must(m.DeleteChildren(h.Ctx, "p"), "delete children")
	h.wantScan(m, "p", "", 100)
	for _, key := range []string{"p", "p/b/deep", "p-q/a", "p0", "q/a"} {
		if _, err := m.Fresh().Get(h.Ctx, key); err != nil {
			h.fatalf("delete children of p took %q along: %v", key, err)
		}
	}
	h.must(m.DeleteChildren(h.Ctx, "p"), "delete children where there are none")
}

func caseMetaDeleteRange(h MetaHarness) {
	m := h.records()
	h.putRecords(m, "p/1", "p/2", "p/2/deep", "p/3", "p/4", "q/2")
	h.must(m.DeleteRange(h.Ctx, "p", "2", "4"), "delete range")
	h.wantScan(m, "p", "", 100, "1", "4")
	h.wantScan(m, "p/2", "", 100, "deep")
	h.wantScan(m, "q", "", 100, "2")
	h.must(m.DeleteRange(h.Ctx, "p", "2", "4"), "delete an empty range")
	h.must(m.DeleteRange(h.Ctx, "p", "4", "4"), "delete a range that holds nothing")
	h.wantScan(m, "p", "", 100, "1", "4")
}

func caseMetaRangeVersions(h MetaHarness) {
	m := h.records()
	p := metastorePoints{m}
	v1 := h.put(p, "p/k", "one", meta.Absent())
	h.must(m.DeleteChildren(h.Ctx, "p"), "delete children")
	v2 := h.put(p, "p/k", "two", meta.Absent())
	h.must(m.DeleteRange(h.Ctx, "p", "a", "z"), "delete range")
	v3 := h.put(p, "p/k", "three", meta.Absent())
	if v1 == v2 || v2 == v3 || v1 == v3 {
		h.fatalf("versions over range deletes: %d, %d, %d", v1, v2, v3)
	}
}

func caseMetaNamespaces(h MetaHarness) {
	s := h.Client().Spaces
	all := []points{metastorePoints{s.Records}, metastorePoints{s.Work}, metastorePoints{s.Ephemeral}, namingPoints{s.Naming}}
	versions := make([]meta.Version, len(all))
	for i, p := range all {
		h.wantAbsent(p, "p/k")
		versions[i] = h.put(p, "p/k", fmt.Sprint(i), meta.Absent())
	}
	for i, p := range all {
		h.wantRecord(p, "p/k", fmt.Sprint(i), versions[i])
	}
	h.must(s.Work.DeleteChildren(h.Ctx, "p"), "delete children of one namespace")
	h.wantScan(s.Work, "p", "", 10)
	h.wantScan(s.Records, "p", "", 10, "k")
	h.wantScan(s.Ephemeral, "p", "", 10, "k")
}

func caseMetaBadRanges(h MetaHarness) {
	m := h.records()
	h.putRecords(m, "p/a")
	h.wants(m.DeleteRange(h.Ctx, "p", "", "z"), "delete range without a lower bound", meta.ErrInvalid)
	h.wants(m.DeleteRange(h.Ctx, "p", "a", ""), "delete range without an upper bound", meta.ErrInvalid)
	for _, prefix := range []string{"/p", "p/", "bad\xff"} {
		what := fmt.Sprintf("prefix %q", prefix)
		_, err := m.Scan(h.Ctx, prefix, "", 10)
		h.wants(err, "scan of "+what, meta.ErrInvalid)
		_, err = m.FloorGet(h.Ctx, prefix, "z")
		h.wants(err, "floor of "+what, meta.ErrInvalid)
		h.wants(m.DeleteChildren(h.Ctx, prefix), "delete children of "+what, meta.ErrInvalid)
		h.wants(m.DeleteRange(h.Ctx, prefix, "a", "z"), "delete range of "+what, meta.ErrInvalid)
	}
	h.wantScan(m, "p", "", 10, "a")
}
