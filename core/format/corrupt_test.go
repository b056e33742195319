package format

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/novastream/nova/core/keys"
)

// wantCorrupt demands a *CorruptError that names the key.
func wantCorrupt(t *testing.T, what, key string, err error) {
	t.Helper()
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) {
		t.Fatalf("%s: got %v", what, err)
	}
	if corrupt.Key != key || corrupt.Want == "" || corrupt.Got == "" || !strings.Contains(err.Error(), key) {
		t.Fatalf("%s: the error does not tell what it must: %#v", what, corrupt)
	}
}

// damage calls check with each way to damage data: each byte changed, each byte lost at the end, and a byte too many.
func damage(data []byte, check func(what string, damaged []byte)) {
	for at := range data {
		for _, mask := range []byte{0x01, 0x80, 0xff} {
			damaged := bytes.Clone(data)
			damaged[at] ^= mask
			check(fmt.Sprintf("byte %d changed", at), damaged)
		}
		check(fmt.Sprintf("cut at %d", at), bytes.Clone(data[:at]))
	}
	check("a byte more", append(bytes.Clone(data), 0))
	check("a byte before", append([]byte{0}, data...))
}

func TestDamagedObjects(t *testing.T) {
	key := sampleHeader.Key()
	for name, object := range map[string][]byte{"flight": encodeFlight(t, sampleWindows()...), "barrier": encodeFlight(t), "poison": samplePoison()} {
		damage(object, func(what string, damaged []byte) {
			_, err := Decode(key, damaged)
			wantCorrupt(t, name+": "+what, key, err)
		})
	}
}

func TestDamagedFooter(t *testing.T) {
	key := sampleHeader.Key()
	object, entries, err := EncodeFlight(sampleHeader, sampleWindows())
	if err != nil {
		t.Fatal(err)
	}
	last := entries[len(entries)-1]
	suffix := object[last.Offset+last.Length:]
	damage(suffix, func(what string, damaged []byte) {
		_, need, err := DecodeFooter(key, damaged, int64(len(object)))
		if need > int64(len(damaged)) && need <= int64(len(object)) && err == nil {
			return // asks for more than it got; the next suffix has the same damage and all of the footer
		}
		if what == "a byte before" && err == nil {
			return // a byte of a window, which only its own CRC covers
		}
		wantCorrupt(t, what, key, err)
	})
	_, _, err = DecodeFooter(key, object, int64(len(object)+1))
	wantCorrupt(t, "an object longer than its footer says", key, err)
	_, _, err = DecodeFooter(key, append([]byte{0}, object...), 0)
	wantCorrupt(t, "a suffix longer than the object", key, err)
}

func TestDamagedWindow(t *testing.T) {
	key := sampleHeader.Key()
	object, entries, err := EncodeFlight(sampleHeader, sampleWindows())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		damage(object[e.Offset:e.Offset+e.Length], func(what string, damaged []byte) {
			_, err := DecodeWindow(key, e, damaged)
			wantCorrupt(t, e.Codec.String()+": "+what, key, err)
		})
		other := e
		other.Count++
		_, err := DecodeWindow(key, other, object[e.Offset:e.Offset+e.Length])
		wantCorrupt(t, "another count", key, err)
		other = e
		other.Codec = lastCodec + 1
		_, err = DecodeWindow(key, other, object[e.Offset:e.Offset+e.Length])
		wantCorrupt(t, "another codec", key, err)
	}
}

// A window whose CRC was made over damaged bytes must still not panic or decode past its bounds.
func TestDamageUnderAGoodCRC(t *testing.T) {
	key := sampleHeader.Key()
	object, entries, err := EncodeFlight(sampleHeader, sampleWindows())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		damage(object[e.Offset:e.Offset+e.Length], func(what string, damaged []byte) {
			e := e
			e.Length, e.CRC = uint64(len(damaged)), castagnoli(0, damaged)
			raw, err := DecodeWindow(key, e, damaged)
			if err != nil {
				wantCorrupt(t, what, key, err)
				return
			}
			for _, err := range Batches(key, raw) {
				if err != nil {
					wantCorrupt(t, what, key, err)
				}
			}
		})
	}
}

func TestDamagedMarker(t *testing.T) {
	damage(sampleMarker(), func(what string, damaged []byte) {
		_, err := DecodeMarker(keys.StoreMarker, damaged)
		wantCorrupt(t, what, keys.StoreMarker, err)
	})
}

// An object found under the key of another slot is corrupt, its footer alone too.
func TestObjectUnderAnotherKey(t *testing.T) {
	object := encodeFlight(t, sampleWindows()...)
	for _, change := range []func(h *Header){
		func(h *Header) { h.Star = "beta" },
		func(h *Header) { h.Epoch++ },
		func(h *Header) { h.Slot++ },
	} {
		h := sampleHeader
		change(&h)
		_, err := Decode(h.Key(), object)
		wantCorrupt(t, "whole", h.Key(), err)
		_, _, err = DecodeFooter(h.Key(), object, 0)
		wantCorrupt(t, "footer", h.Key(), err)
	}
}

// A frame of a few bytes that claims 64 MiB is refused before anything is allocated for it.
func TestDecompressionBound(t *testing.T) {
	zeros := make([]byte, MaxWindowBytes)
	frame := encoder.EncodeAll(zeros, nil)
	if raw, err := decompress(frame); err != nil || !slices.Equal(raw, zeros) {
		t.Fatalf("the longest window: %d bytes, %v", len(raw), err)
	}
	if _, err := decompress(frame[:64]); err == nil {
		t.Error("a frame of 64 bytes may not claim 64 MiB")
	}
	if _, err := decompress(encoder.EncodeAll(make([]byte, MaxWindowBytes+1), nil)); err == nil {
		t.Error("a window above the limit was decompressed")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _ = decompress(frame[:64])
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
		t.Errorf("refusing it took %d bytes", took)
	}
}
