package format

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/novastream/nova/core/keys"
)

// craft seals a flight under good CRCs whose header and entries say what they like.
func craft(t *testing.T, change func(h *Header, entries []Entry)) (key string, object, suffix []byte) {
	t.Helper()
	made, entries, err := EncodeFlight(sampleHeader, sampleWindows())
	if err != nil {
		t.Fatal(err)
	}
	last := entries[len(entries)-1]
	windows := made[HeaderSize : last.Offset+last.Length]
	h := sampleHeader
	change(&h, entries)
	object = append(appendHeader(nil, KindFlight, h), windows...)
	footer := len(object)
	object = seal(appendFooter(object, entries), KindFlight, sampleHeader.Key(), footer)
	return sampleHeader.Key(), object, object[footer:]
}

// An object that is wrong in itself, however good its CRCs.
func TestCraftedFlights(t *testing.T) {
	if key, object, _ := craft(t, func(*Header, []Entry) {}); true {
		if _, err := Decode(key, object); err != nil {
			t.Fatal(err)
		}
	}
	for name, change := range map[string]func(h *Header, entries []Entry){
		"gap between windows":    func(_ *Header, e []Entry) { e[1].Offset++ },
		"overlapping windows":    func(_ *Header, e []Entry) { e[1].Offset-- },
		"windows change places":  func(_ *Header, e []Entry) { slices.Reverse(e) },
		"short last window":      func(_ *Header, e []Entry) { e[1].Length-- },
		"long last window":       func(_ *Header, e []Entry) { e[1].Length++ },
		"endless last window":    func(_ *Header, e []Entry) { e[1].Length = math.MaxUint32 },
		"window without bytes":   func(_ *Header, e []Entry) { e[0].Length, e[1].Offset = 0, HeaderSize },
		"window without records": func(_ *Header, e []Entry) { e[0].Count = 0 },
		"window without stream":  func(_ *Header, e []Entry) { e[0].Stream = "" },
		"seq overflow":           func(_ *Header, e []Entry) { e[0].First = math.MaxUint64 - 1 },
		"stamps fall":            func(_ *Header, e []Entry) { e[0].LastStamp = e[0].FirstStamp - 1 },
		"unknown codec":          func(_ *Header, e []Entry) { e[0].Codec = lastCodec + 1 },
		"window CRC":             func(_ *Header, e []Entry) { e[0].CRC++ },
		"header of another slot": func(h *Header, _ []Entry) { h.Slot++ },
		"header of another star": func(h *Header, _ []Entry) { h.Star = "alpha2" },
		"no class":               func(h *Header, _ []Entry) { h.Class = 0 },
	} {
		key, object, suffix := craft(t, change)
		_, err := Decode(key, object)
		wantCorrupt(t, name, key, err)
		entries, _, err := DecodeFooter(key, suffix, int64(len(object)))
		if err == nil && !slices.Contains([]string{"window CRC", "header of another slot", "header of another star", "no class"}, name) {
			t.Errorf("%s: the footer decoded to %+v", name, entries)
		}
	}
}

func TestCraftedFooters(t *testing.T) {
	key := sampleHeader.Key()
	for name, footer := range map[string][]byte{
		"no count":           {},
		"count of too many":  binary.LittleEndian.AppendUint32(nil, 1<<31),
		"count of one, none": binary.LittleEndian.AppendUint32(nil, 1),
		"bytes behind":       {0, 0, 0, 0, 1},
	} {
		object := appendHeader(nil, KindFlight, sampleHeader)
		object = seal(append(object, footer...), KindFlight, key, HeaderSize)
		_, err := Decode(key, object)
		wantCorrupt(t, name, key, err)
		_, _, err = DecodeFooter(key, object[HeaderSize:], 0)
		wantCorrupt(t, name, key, err)
	}
	// A window that ends before the footer, and one byte that no window has.
	object, entries, err := EncodeFlight(sampleHeader, sampleWindows()[:1])
	if err != nil {
		t.Fatal(err)
	}
	end := int(entries[0].Offset + entries[0].Length)
	object = append(slices.Clone(object[:end]), 0)
	object = seal(appendFooter(object, entries), KindFlight, key, end+1)
	_, err = Decode(key, object)
	wantCorrupt(t, "a byte between windows and footer", key, err)
	// The same for poison, which has no windows.
	poison := samplePoison()
	footer := slices.Clone(poison[HeaderSize : len(poison)-TrailerSize])
	object = append(slices.Clone(poison[:HeaderSize]), 0)
	object = seal(append(object, footer...), KindPoison, key, HeaderSize+1)
	_, err = Decode(key, object)
	wantCorrupt(t, "a byte before the footer of poison", key, err)
	// A header that says poison around a flight's trailer.
	object = seal(append(appendHeader(nil, KindPoison, sampleHeader), 0, 0, 0, 0), KindFlight, key, HeaderSize)
	_, err = Decode(key, object)
	wantCorrupt(t, "two kinds", key, err)
	// Padding that is not zero, in each of its places.
	for _, at := range []int{13, 15, 32 + len(sampleHeader.Star), 95, 96 + len(sampleHeader.Boot), 159} {
		header := appendHeader(nil, KindFlight, sampleHeader)
		header[at] = 1
		_, err = Decode(key, seal(append(header, 0, 0, 0, 0), KindFlight, key, HeaderSize))
		wantCorrupt(t, fmt.Sprint("padding at ", at), key, err)
	}
}

func TestCraftedBatches(t *testing.T) {
	batch := func(count uint32, body ...byte) []byte {
		raw := binary.LittleEndian.AppendUint32(nil, uint32(8+len(body)))
		return append(binary.LittleEndian.AppendUint32(raw, count), body...)
	}
	if got := decodeBatches(t, batch(1, 0, 0, 0, 1, 'x')); len(got) != 1 || string(got[0].Records[0].Body) != "x" {
		t.Fatalf("got %+v", got)
	}
	for name, raw := range map[string][]byte{
		"no records":            batch(0, 0),
		"records that miss":     batch(2, 0, 0, 0, 1, 'x'),
		"far too many records":  batch(1<<31, 0, 0, 0, 1, 'x'),
		"bytes behind":          batch(1, 0, 0, 0, 1, 'x', 'y'),
		"unknown flags":         batch(1, 2, 0, 0, 1, 'x'),
		"stamp not minimal":     batch(1, 0, 0x80, 0, 0, 1, 'x'),
		"length not minimal":    batch(1, 0, 0, 0, 0x81, 0, 'x'),
		"varint without end":    batch(1, 0, 0x80, 0x80, 0x80),
		"varint above 64 bits":  batch(1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0),
		"more headers than fit": batch(1, 0, 0, 100, 0, 0, 0),
		"body past the end":     batch(1, 0, 0, 0, 9, 'x'),
		"producer past the end": batch(1, flagProducer, 200, 'x', 'y'),
		"length of four":        {4, 0, 0, 0, 1, 0, 0, 0},
		"length past the end":   {200, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0},
		"three bytes":           {1, 2, 3},
	} {
		var failed error
		for _, err := range Batches("key", raw) {
			failed = err
		}
		wantCorrupt(t, name, "key", failed)
	}
}

// A frame may hold what it likes; the window's entry counts.
func TestCraftedFrames(t *testing.T) {
	key := sampleHeader.Key()
	raw := sampleWindows()[1].Raw
	frame := encoder.EncodeAll(raw, nil)
	for name, stored := range map[string][]byte{
		"two frames":            append(slices.Clone(frame), frame...),
		"a skippable frame":     {0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 0},
		"a frame of no batches": encoder.EncodeAll(make([]byte, 1000), nil),
		"no frame":              raw,
		"nothing":               {},
	} {
		e := Entry{Stream: keys.StreamID("s"), Count: 1, Length: uint64(len(stored)), Codec: CodecZstd, CRC: castagnoli(0, stored)}
		_, err := DecodeWindow(key, e, stored)
		wantCorrupt(t, name, key, err)
	}
}
