package embeddedmeta

import (
	"bytes"
	"cmp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/novastream/nova/io/meta"
)

// keys draws hierarchical keys of a small alphabet in which every order question comes up.
func keys(t *rapid.T, label string) string {
	segment := rapid.StringOfN(rapid.RuneFrom([]rune{'\x00', '\x01', '-', '.', '0', 'a', 'é', '\U0010ffff'}), 1, 3, -1)
	return strings.Join(rapid.SliceOfN(segment, 1, 4).Draw(t, label), "/")
}

// Rows of a space are ordered by depth, then by key, and the children of a prefix are one run of them.
func TestRowOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := keys(t, "a"), keys(t, "b")
		depth := func(s string) int { return strings.Count(s, "/") }
		want := cmp.Or(cmp.Compare(depth(a), depth(b)), strings.Compare(a, b))
		if got := bytes.Compare(spaceRecords.row(a), spaceRecords.row(b)); got != want {
			t.Fatalf("rows %q and %q compare as %d, want %d", a, b, got, want)
		}
		if got := spaceRecords.key(spaceRecords.row(a)); got != a {
			t.Fatalf("key of the row of %q is %q", a, got)
		}
		name, child := strings.CutPrefix(b, a+"/")
		child = child && !strings.Contains(name, "/")
		lower, upper := spaceRecords.children(a)
		row := spaceRecords.row(b)
		if inside := bytes.Compare(row, lower) >= 0 && bytes.Compare(row, upper) < 0; inside != child {
			t.Fatalf("%q among the children of %q: %v, want %v", b, a, inside, child)
		}
	})
}

// Index entries are ordered by secondary key, then by row, whatever bytes are in them, and come apart again.
func TestEntryOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type pair struct{ secondary, key string }
		text := rapid.StringOfN(rapid.RuneFrom([]rune{'\x00', '\x01', '\x02', 'a', '\U0010ffff'}), 0, 4, -1)
		draw := func(label string) pair { return pair{text.Draw(t, label+" secondary"), keys(t, label)} }
		a, b := draw("a"), draw("b")
		entry := func(p pair) []byte { return spaceRecords.entry("x", p.secondary, spaceRecords.row(p.key)) }
		want := cmp.Or(strings.Compare(a.secondary, b.secondary), bytes.Compare(spaceRecords.row(a.key), spaceRecords.row(b.key)))
		if got := bytes.Compare(entry(a), entry(b)); got != want {
			t.Fatalf("entries %q and %q compare as %d, want %d", a, b, got, want)
		}
		secondary, row := spaceRecords.entryOf(entry(a), spaceRecords.index("x"))
		if secondary != a.secondary || !bytes.Equal(row, spaceRecords.row(a.key)) {
			t.Fatalf("entry %q comes apart as %q, %q", a, secondary, row)
		}
		other := text.Draw(t, "index")
		if other != "x" && bytes.HasPrefix(entry(a), spaceRecords.index(other)) {
			t.Fatalf("entry %q of index x lies in index %q", a, other)
		}
	})
}

func TestRowRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := row{
			version: meta.Version(rapid.Int64Min(0).Draw(t, "version")), created: rapid.Int64Min(0).Draw(t, "created"),
			modified: rapid.Int64Min(0).Draw(t, "modified"), session: rapid.Uint64().Draw(t, "session"),
			value: rapid.SliceOf(rapid.Byte()).Draw(t, "value"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "indexes") {
			r.indexes = append(r.indexes, meta.Index{Name: rapid.String().Draw(t, "name"), Key: rapid.String().Draw(t, "key")})
		}
		got, err := decodeRow(r.encode())
		if err != nil || !bytes.Equal(got.encode(), r.encode()) || !bytes.Equal(got.value, r.value) || len(got.indexes) != len(r.indexes) {
			t.Fatalf("%+v came back as %+v, %v", r, got, err)
		}
	})
}

// Whatever bytes a row has, decoding them ends, and what decodes encodes to what decodes the same.
func FuzzDecodeRow(f *testing.F) {
	f.Add(row{version: 1, indexes: []meta.Index{{Name: "x", Key: "k"}}, value: []byte("v")}.encode())
	f.Add([]byte{0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decodeRow(data)
		if err != nil {
			return
		}
		again, err := decodeRow(r.encode())
		if err != nil || !bytes.Equal(again.encode(), r.encode()) {
			t.Fatalf("%x: %+v, then %+v, %v", data, r, again, err)
		}
	})
}
