package format

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/novastream/nova/core/keys"
)

var update = flag.Bool("update", false, "write the golden files of the current format version")

// golden compares what the current version writes with testdata, as a hex dump that can be read beside doc.go.
func golden(t *testing.T, name string, data []byte) {
	t.Helper()
	path := filepath.Join("testdata", fmt.Sprintf("v%d", Version), name+".hex")
	if *update {
		if err := os.WriteFile(path, []byte(hex.Dump(data)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := hex.Dump(data); got != string(want) {
		t.Errorf("%s: the bytes have changed; a change needs a new format version\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

// stored reads the bytes of a golden file.
func stored(t *testing.T, version, name string) []byte {
	t.Helper()
	dump, err := os.ReadFile(filepath.Join("testdata", version, name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	var data []byte
	for line := range strings.Lines(string(dump)) {
		columns, _, _ := strings.Cut(line, "|")
		for _, column := range strings.Fields(columns)[1:] {
			b, err := hex.DecodeString(column)
			if err != nil {
				t.Fatal(err)
			}
			data = append(data, b...)
		}
	}
	return data
}

func TestGolden(t *testing.T) {
	golden(t, "flight", encodeFlight(t, sampleWindows()[0]))
	golden(t, "barrier", encodeFlight(t))
	golden(t, "poison", samplePoison())
	golden(t, "marker", sampleMarker())
}

// What version 1 wrote stays readable. The bytes of a zstd frame may differ from release to release of the compressor,
// so flight-zstd is only read; it was written once by version 1.
func TestGoldenV1IsReadable(t *testing.T) {
	key := sampleHeader.Key()
	for _, name := range []string{"flight", "flight-zstd"} {
		object := stored(t, "v1", name)
		got, err := Decode(key, object)
		if err != nil {
			t.Fatal(name, err)
		}
		for i, e := range got.Entries {
			raw, err := DecodeWindow(key, e, object[e.Offset:e.Offset+e.Length])
			if err != nil || !bytes.Equal(raw, sampleWindows()[i].Raw) {
				t.Errorf("%s: window %d differs: %v", name, i, err)
			}
		}
	}
	barrier, err := Decode(key, stored(t, "v1", "barrier"))
	if want := (Object{Kind: KindFlight, Header: sampleHeader, Entries: []Entry{}}); err != nil || !reflect.DeepEqual(barrier, want) {
		t.Errorf("barrier: got %+v, %v", barrier, err)
	}
	poison, err := Decode(key, stored(t, "v1", "poison"))
	want := Object{Kind: KindPoison, Header: sampleHeader, Poison: Poison{By: "beta", Boot: "f1a9", Reason: "fencing epoch 7 of alpha"}}
	if err != nil || !reflect.DeepEqual(poison, want) {
		t.Errorf("poison: got %+v, %v", poison, err)
	}
	marker, err := DecodeMarker(keys.StoreMarker, stored(t, "v1", "marker"))
	if err != nil || marker != (Marker{Cluster: "galaxy", Store: "s-1"}) {
		t.Errorf("marker: got %+v, %v", marker, err)
	}
}
