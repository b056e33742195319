package format

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/run"
)

func TestEncodeFlightRefuses(t *testing.T) {
	long := strings.Repeat("x", 300)
	for name, change := range map[string]func(h *Header, w *Window){
		"no star":             func(h *Header, _ *Window) { h.Star = "" },
		"long star":           func(h *Header, _ *Window) { h.Star = keys.StarID(long) },
		"long boot id":        func(h *Header, _ *Window) { h.Boot = keys.BootID(long) },
		"no class":            func(h *Header, _ *Window) { h.Class = 0 },
		"class of the future": func(h *Header, _ *Window) { h.Class = 3 },
		"no stream":           func(_ *Header, w *Window) { w.Stream = "" },
		"long stream":         func(_ *Header, w *Window) { w.Stream = keys.StreamID(long) },
		"no records":          func(_ *Header, w *Window) { w.Count, w.Raw = 0, nil },
		"wrong count":         func(_ *Header, w *Window) { w.Count++ },
		"no bytes":            func(_ *Header, w *Window) { w.Raw = nil },
		"not batches":         func(_ *Header, w *Window) { w.Raw = []byte("three bytes short of a batch") },
		"cut batch":           func(_ *Header, w *Window) { w.Raw = w.Raw[:len(w.Raw)-1] },
		"seq overflow":        func(_ *Header, w *Window) { w.First = math.MaxUint64 },
		"stamps fall":         func(_ *Header, w *Window) { w.LastStamp = w.FirstStamp - 1 },
		"too long":            func(_ *Header, w *Window) { w.Raw = make([]byte, MaxWindowBytes+1) },
	} {
		h, w := sampleHeader, windowOf("s", 0, sampleBatches()...)
		change(&h, &w)
		object, _, err := EncodeFlight(h, []Window{w})
		var refusal *EncodeError
		if !errors.As(err, &refusal) || object != nil || refusal.Reason == "" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestBrokenInvariants(t *testing.T) {
	long := strings.Repeat("x", 300)
	for name, broken := range map[string]func(){
		"batch without records": func() { AppendBatch(nil, Batch{}) },
		"batch too long": func() {
			AppendBatch(nil, Batch{Records: []Record{{Body: make([]byte, MaxWindowBytes)}}})
		},
		"producer id too long": func() {
			AppendBatch(nil, Batch{Producer: &Producer{ID: long}, Records: []Record{{}}})
		},
		"poison for no class":  func() { EncodePoison(Header{Star: "a"}, Poison{}) },
		"poison by nobody":     func() { EncodePoison(sampleHeader, Poison{By: keys.StarID(long)}) },
		"marker without store": func() { EncodeMarker(Marker{Cluster: "c"}) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*run.InvariantError); !ok {
					t.Errorf("%s: no broken invariant", name)
				}
			}()
			broken()
		}()
	}
}
