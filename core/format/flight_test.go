package format

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
)

func anyBatch(t *rapid.T) Batch {
	field := rapid.Custom(func(t *rapid.T) HeaderField {
		return HeaderField{Name: rapid.SliceOfN(rapid.Byte(), 0, 9).Draw(t, "name"), Value: rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "value")}
	})
	record := rapid.Custom(func(t *rapid.T) Record {
		r := Record{StampMicros: rapid.Int64().Draw(t, "stamp"), Body: rapid.SliceOfN(rapid.Byte(), 0, 2000).Draw(t, "body")}
		if fields := rapid.SliceOfN(field, 0, 3).Draw(t, "headers"); len(fields) > 0 {
			r.Headers = fields
		}
		return r
	})
	b := Batch{Records: rapid.SliceOfN(record, 1, 5).Draw(t, "records")}
	if rapid.Bool().Draw(t, "named") {
		b.Producer = &Producer{
			ID:    rapid.StringN(0, 20, 255).Draw(t, "producer"),
			Epoch: rapid.Uint64().Draw(t, "epoch"), Seq: rapid.Uint64().Draw(t, "seq"),
		}
	}
	return b
}

func anyHeader(t *rapid.T) Header {
	return Header{
		Star:  keys.StarID(rapid.StringMatching(`[a-z0-9-]{1,64}`).Draw(t, "star")),
		Boot:  keys.BootID(rapid.StringMatching(`[a-z0-9]{0,64}`).Draw(t, "boot")),
		Epoch: keys.Epoch(rapid.Uint64().Draw(t, "epoch")),
		Slot:  keys.Slot(rapid.Uint64().Draw(t, "slot")),
		Class: rapid.SampledFrom([]records.Class{records.Class_CLASS_STANDARD, records.Class_CLASS_EXPRESS}).Draw(t, "class"),
	}
}

func anyWindow(t *rapid.T) (Window, []Batch) {
	batches := rapid.SliceOfN(rapid.Custom(anyBatch), 1, 4).Draw(t, "batches")
	w := windowOf(keys.StreamID(rapid.StringMatching(`[a-z2-7]{26}`).Draw(t, "stream")), 0, batches...)
	w.First = keys.Seq(rapid.Uint64Max(math.MaxUint64-100).Draw(t, "first"))
	w.StreamEpoch = keys.StreamEpoch(rapid.Uint64().Draw(t, "stream epoch"))
	w.FirstStamp = rapid.Int64Max(math.MaxInt64-100).Draw(t, "first stamp")
	w.LastStamp = w.FirstStamp + rapid.Int64Range(0, 100).Draw(t, "stamps")
	return w, batches
}

// decodeBatches reads a window back.
func decodeBatches(tb interface{ Fatal(...any) }, raw []byte) []Batch {
	var batches []Batch
	for b, err := range Batches("key", raw) {
		if err != nil {
			tb.Fatal(err)
		}
		batches = append(batches, b)
	}
	return batches
}

// same compares batches, an empty slice being as good as none.
func same(a, b []Batch) bool {
	var x, y []byte
	for _, batch := range a {
		x = AppendBatch(x, batch)
	}
	for _, batch := range b {
		y = AppendBatch(y, batch)
	}
	return slices.Equal(x, y) && len(a) == len(b)
}

func TestFlightRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := anyHeader(t)
		var windows []Window
		var batches [][]Batch
		for range rapid.IntRange(0, 4).Draw(t, "windows") {
			w, b := anyWindow(t)
			windows, batches = append(windows, w), append(batches, b)
		}
		object, entries, err := EncodeFlight(h, windows)
		if err != nil {
			t.Fatal(err)
		}
		if cap(object) != flightBound(windows) {
			t.Fatalf("the object has moved: capacity %d, made with %d", cap(object), flightBound(windows))
		}
		got, err := Decode(h.Key(), object)
		if err != nil {
			t.Fatal(err)
		}
		if got.Kind != KindFlight || got.Header != h || !slices.Equal(got.Entries, entries) {
			t.Fatalf("wrote %+v %+v, read %+v", h, entries, got)
		}
		for i, e := range entries {
			raw, err := DecodeWindow(h.Key(), e, object[e.Offset:e.Offset+e.Length])
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(raw, windows[i].Raw) || !same(decodeBatches(t, raw), batches[i]) {
				t.Fatalf("window %d differs", i)
			}
		}
	})
}

func TestFooterBySuffix(t *testing.T) {
	object, want, err := EncodeFlight(sampleHeader, sampleWindows())
	if err != nil {
		t.Fatal(err)
	}
	key, size := sampleHeader.Key(), int64(len(object))
	for length := int64(TrailerSize); length <= size; length++ {
		for _, known := range []int64{0, size} {
			entries, need, err := DecodeFooter(key, object[size-length:], known)
			if err != nil {
				t.Fatalf("suffix of %d bytes: %v", length, err)
			}
			if need > 0 {
				entries, need, err = DecodeFooter(key, object[size-need:], known)
			}
			if err != nil || need != 0 || !slices.Equal(entries, want) {
				t.Fatalf("suffix of %d bytes: got %+v, need %d, %v", length, entries, need, err)
			}
		}
	}
}

func TestBarrierFlight(t *testing.T) {
	object := encodeFlight(t)
	if len(object) != HeaderSize+footerCountSize+TrailerSize {
		t.Errorf("a flight without windows takes %d bytes", len(object))
	}
	got, err := Decode(sampleHeader.Key(), object)
	if err != nil || got.Kind != KindFlight || len(got.Entries) != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestPoisonRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := anyHeader(t)
		p := Poison{By: anyHeader(t).Star, Boot: anyHeader(t).Boot, Reason: rapid.StringN(0, 400, 1024).Draw(t, "reason")}
		object := EncodePoison(h, p)
		got, err := Decode(h.Key(), object)
		if err != nil || !reflect.DeepEqual(got, Object{Kind: KindPoison, Header: h, Poison: p}) {
			t.Fatalf("wrote %+v %+v, read %+v, %v", h, p, got, err)
		}
		if _, _, err := DecodeFooter(h.Key(), object, 0); !errors.Is(err, ErrPoison) {
			t.Fatalf("a footer of poison: %v", err)
		}
	})
}

func TestPoisonReasonIsCut(t *testing.T) {
	object := EncodePoison(sampleHeader, Poison{By: "beta", Reason: strings.Repeat("x", 5000)})
	got, err := Decode(sampleHeader.Key(), object)
	if err != nil || len(got.Poison.Reason) != maxReason {
		t.Errorf("a reason of %d bytes, %v", len(got.Poison.Reason), err)
	}
}

func TestMarkerRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Marker{Cluster: rapid.StringN(1, 40, 255).Draw(t, "cluster"), Store: keys.StoreID(rapid.StringN(1, 40, 255).Draw(t, "store"))}
		got, err := DecodeMarker(keys.StoreMarker, EncodeMarker(m))
		if err != nil || got != m {
			t.Fatalf("wrote %+v, read %+v, %v", m, got, err)
		}
	})
}

func TestEncodedSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBatch(t)
		if got, want := b.EncodedSize(), len(AppendBatch(nil, b)); got != want {
			t.Fatalf("EncodedSize is %d, encoded are %d bytes", got, want)
		}
	})
}
