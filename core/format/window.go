package format

import "fmt"

func appendWindow(dst []byte, w Window) ([]byte, Entry) {
	offset := len(dst)
	dst, codec := appendStored(dst, w.Raw)
	return dst, Entry{
		Stream:      w.Stream,
		StreamEpoch: w.StreamEpoch,
		First:       w.First,
		Count:       w.Count,
		FirstStamp:  w.FirstStamp,
		LastStamp:   w.LastStamp,
		Offset:      uint64(offset),
		Length:      uint64(len(dst) - offset),
		Codec:       codec,
		CRC:         castagnoli(0, dst[offset:]),
	}
}

// DecodeWindow checks the stored bytes of a window and gives its batches. Of the entry it needs Count, Offset, Length,
// Codec and CRC. The answer may share memory with stored.
func DecodeWindow(key string, e Entry, stored []byte) (raw []byte, err error) {
	if err := e.checkStored(key, stored); err != nil {
		return nil, err
	}
	corrupt := func(want, got string) error {
		return &CorruptError{Key: key, Part: PartObject, Offset: int64(e.Offset), Want: want, Got: got}
	}
	switch e.Codec {
	case CodecNone:
		raw = stored
	case CodecZstd:
		if raw, err = decompress(stored); err != nil {
			return nil, corrupt("a window in zstd", err.Error())
		}
	default:
		return nil, corrupt("a codec of this release", e.Codec.String())
	}
	if len(raw) > MaxWindowBytes {
		return nil, corrupt(fmt.Sprintf("a window of at most %d bytes", MaxWindowBytes), fmt.Sprint(len(raw)))
	}
	count, err := countRecords(key, raw)
	if err != nil {
		return nil, err
	}
	if count != uint64(e.Count) {
		return nil, corrupt(fmt.Sprintf("batches of %d records", e.Count), fmt.Sprint(count))
	}
	return raw, nil
}

// checkStored compares the stored bytes of a window with its entry.
func (e Entry) checkStored(key string, stored []byte) error {
	if uint64(len(stored)) != e.Length {
		return &CorruptError{Key: key, Part: PartObject, Offset: int64(e.Offset),
			Want: fmt.Sprintf("a window of %d bytes", e.Length), Got: fmt.Sprint(len(stored))}
	}
	if sum := castagnoli(0, stored); sum != e.CRC {
		return &CorruptError{Key: key, Part: PartObject, Offset: int64(e.Offset),
			Want: fmt.Sprintf("window CRC %08x", e.CRC), Got: fmt.Sprintf("%08x", sum)}
	}
	return nil
}
