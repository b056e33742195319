package format

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/novastream/nova/core/keys"
)

// FuzzDecode feeds whole objects: as they come, and sealed with good CRCs so that the fuzzer gets behind them.
func FuzzDecode(f *testing.F) {
	for _, object := range [][]byte{encodeFlight(f, sampleWindows()...), encodeFlight(f), samplePoison()} {
		footer := len(object) - TrailerSize - int(binary.LittleEndian.Uint32(object[len(object)-TrailerSize+4:]))
		f.Add(object[:footer], object[footer:len(object)-TrailerSize], object[0] == 'N' && object[4] == 'P')
		f.Add(object, []byte{}, false)
	}
	f.Fuzz(func(t *testing.T, front, footer []byte, poison bool) {
		key := sampleHeader.Key()
		_, _ = Decode(key, append(bytes.Clone(front), footer...))
		kind := KindFlight
		if poison {
			kind = KindPoison
		}
		object := seal(append(bytes.Clone(front), footer...), kind, key, len(front))
		got, err := Decode(key, object)
		if err != nil {
			return
		}
		if got.Kind == KindPoison {
			if !bytes.Equal(EncodePoison(got.Header, got.Poison), object) && len(got.Poison.Reason) <= maxReason {
				t.Errorf("decoded %+v, which encodes to something else", got)
			}
			return
		}
		again := appendHeader(nil, KindFlight, got.Header)
		again = append(again, front[HeaderSize:]...)
		if again = seal(appendFooter(again, got.Entries), KindFlight, key, len(front)); !bytes.Equal(again, object) {
			t.Errorf("decoded %+v, which encodes to something else", got)
		}
	})
}

// FuzzFooter feeds suffixes: as they come, and sealed with good CRCs.
func FuzzFooter(f *testing.F) {
	object, entries, err := EncodeFlight(sampleHeader, sampleWindows())
	if err != nil {
		f.Fatal(err)
	}
	last := entries[len(entries)-1]
	f.Add(object[last.Offset+last.Length:], int64(len(object)))
	f.Add(object[last.Offset+last.Length:len(object)-TrailerSize], int64(len(object)))
	f.Add(object, int64(0))
	f.Fuzz(func(t *testing.T, data []byte, size int64) {
		key := sampleHeader.Key()
		_, need, err := DecodeFooter(key, data, size)
		if err == nil && size > 0 && need > size {
			t.Errorf("a footer of %d bytes in an object of %d", need, size)
		}
		entries, need, err := DecodeFooter(key, seal(bytes.Clone(data), KindFlight, key, 0), 0)
		if err != nil {
			return
		}
		if need != 0 || !bytes.Equal(appendFooter(nil, entries), data) {
			t.Errorf("decoded %+v (need %d), which encodes to something else", entries, need)
		}
	})
}

// FuzzWindow feeds stored windows under a CRC that fits.
func FuzzWindow(f *testing.F) {
	object, entries, err := EncodeFlight(sampleHeader, sampleWindows())
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		f.Add(object[e.Offset:e.Offset+e.Length], byte(e.Codec), e.Count)
	}
	f.Fuzz(func(t *testing.T, stored []byte, codec byte, count uint32) {
		e := Entry{Count: count, Length: uint64(len(stored)), Codec: Codec(codec), CRC: castagnoli(0, stored)}
		raw, err := DecodeWindow(sampleHeader.Key(), e, stored)
		if err == nil && len(raw) > MaxWindowBytes {
			t.Errorf("%d stored bytes gave %d", len(stored), len(raw))
		}
		e.CRC++
		if _, err := DecodeWindow(sampleHeader.Key(), e, stored); err == nil {
			t.Error("a wrong CRC was accepted")
		}
	})
}

// FuzzBatches feeds windows: what decodes to the end encodes to the same bytes.
func FuzzBatches(f *testing.F) {
	for _, w := range sampleWindows() {
		f.Add(w.Raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var again []byte
		records := uint64(0)
		for b, err := range Batches("key", raw) {
			if err != nil {
				return
			}
			again = AppendBatch(again, b)
			records += uint64(len(b.Records))
		}
		if !bytes.Equal(again, raw) {
			t.Errorf("%x encodes to %x", raw, again)
		}
		if count, err := countRecords("key", raw); err != nil || count != records {
			t.Errorf("counted %d of %d records, %v", count, records, err)
		}
	})
}

// FuzzPoison feeds the footers of poison objects, sealed with good CRCs.
func FuzzPoison(f *testing.F) {
	object := samplePoison()
	f.Add(object[HeaderSize : len(object)-TrailerSize])
	f.Fuzz(func(t *testing.T, footer []byte) {
		object := appendHeader(nil, KindPoison, sampleHeader)
		object = seal(append(object, footer...), KindPoison, sampleHeader.Key(), HeaderSize)
		got, err := Decode(sampleHeader.Key(), object)
		if err == nil && got.Kind != KindPoison {
			t.Errorf("poison decoded as %v", got.Kind)
		}
	})
}

// FuzzMarker feeds markers: as they come, and with a CRC that fits.
func FuzzMarker(f *testing.F) {
	f.Add(sampleMarker())
	f.Add(sampleMarker()[:len(sampleMarker())-4])
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = DecodeMarker(keys.StoreMarker, data)
		data = binary.LittleEndian.AppendUint32(bytes.Clone(data), castagnoli(0, data))
		m, err := DecodeMarker(keys.StoreMarker, data)
		if err == nil && !bytes.Equal(EncodeMarker(m), data) {
			t.Errorf("%+v encodes to something else than %x", m, data)
		}
	})
}
