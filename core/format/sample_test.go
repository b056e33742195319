package format

import (
	"bytes"
	"testing"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
)

// sampleHeader is the header of the objects of most tests.
var sampleHeader = Header{Star: "alpha", Boot: "b00t", Epoch: 7, Slot: 42, Class: records.Class_CLASS_STANDARD}

// sampleBatches are a batch of each kind.
func sampleBatches() []Batch {
	return []Batch{
		{Records: []Record{
			{StampMicros: 1_700_000_000_000_000, Body: []byte("one")},
			{StampMicros: 1_700_000_000_000_005, Headers: []HeaderField{{Name: []byte("k"), Value: []byte("v")}, {}}, Body: []byte("two")},
		}},
		{
			Producer: &Producer{ID: "till-4", Epoch: 3, Seq: 9},
			Records:  []Record{{StampMicros: 1_700_000_000_000_004}},
		},
	}
}

// windowOf is the window of these batches.
func windowOf(stream keys.StreamID, first keys.Seq, batches ...Batch) Window {
	w := Window{Stream: stream, StreamEpoch: 2, First: first}
	for _, b := range batches {
		w.Raw = AppendBatch(w.Raw, b)
		w.Count += uint32(len(b.Records))
	}
	w.FirstStamp, w.LastStamp = 1_700_000_000_000_000, 1_700_000_000_000_005
	return w
}

// sampleWindows are one window too small to compress and one that compresses well.
func sampleWindows() []Window {
	text := Batch{Records: []Record{{StampMicros: 1_700_000_000_000_005, Body: bytes.Repeat([]byte("la "), 300)}}}
	return []Window{
		windowOf("aaaaaaaaaaaaaaaaaaaaaaaaaa", 100, sampleBatches()...),
		windowOf("bbbbbbbbbbbbbbbbbbbbbbbbbb", 0, text),
	}
}

func encodeFlight(tb testing.TB, windows ...Window) []byte {
	tb.Helper()
	object, _, err := EncodeFlight(sampleHeader, windows)
	if err != nil {
		tb.Fatal(err)
	}
	return object
}

func samplePoison() []byte {
	return EncodePoison(sampleHeader, Poison{By: "beta", Boot: "f1a9", Reason: "fencing epoch 7 of alpha"})
}

func sampleMarker() []byte { return EncodeMarker(Marker{Cluster: "galaxy", Store: "s-1"}) }
