package format

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/novastream/nova/core/keys"
)

const (
	footerCountSize = 4
	entryFixedSize  = 50 // an entry without its stream id
)

// FooterHint is a suffix long enough for the footer of most flights.
const FooterHint = 64 << 10

func entrySize(stream keys.StreamID) int { return entryFixedSize + len(stream) }

func appendFooter(dst []byte, entries []Entry) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(entries)))
	for _, e := range entries {
		dst = append(dst, byte(len(e.Stream)))
		dst = append(dst, e.Stream...)
		dst = binary.LittleEndian.AppendUint64(dst, uint64(e.StreamEpoch))
		dst = binary.LittleEndian.AppendUint64(dst, uint64(e.First))
		dst = binary.LittleEndian.AppendUint32(dst, e.Count)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(e.Offset))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(e.Length))
		dst = binary.LittleEndian.AppendUint64(dst, uint64(e.FirstStamp))
		dst = binary.LittleEndian.AppendUint64(dst, uint64(e.LastStamp))
		dst = append(dst, byte(e.Codec))
		dst = binary.LittleEndian.AppendUint32(dst, e.CRC)
	}
	return dst
}

// DecodeFooter reads the footer of a flight from a suffix of its object. sizeBytes is the object's size, or 0 where it is
// not known. A need above zero asks for a suffix of that many bytes; a whole object is always enough, so one that is
// shorter than need is corrupt. Valid poison is ErrPoison.
func DecodeFooter(key string, suffix []byte, sizeBytes int64) (entries []Entry, need int64, err error) {
	s, err := unseal(key, suffix)
	if err != nil {
		return nil, 0, err
	}
	if sizeBytes > 0 && s.need > sizeBytes {
		return nil, 0, &CorruptError{Key: key, Part: PartObject, Offset: 4 - TrailerSize,
			Want: fmt.Sprintf("footer and trailer within the object's %d bytes", sizeBytes), Got: fmt.Sprint(s.need)}
	}
	if s.need > 0 {
		return nil, s.need, nil
	}
	if s.kind == KindPoison {
		return nil, 0, fmt.Errorf("%s: %w", key, ErrPoison)
	}
	entries, footer, err := s.entries(key)
	if err != nil {
		return nil, 0, err
	}
	size := footer + int64(len(s.footer)) + TrailerSize
	if int64(len(suffix)) > size || sizeBytes > 0 && sizeBytes != size {
		return nil, 0, &CorruptError{Key: key, Part: PartObject, Offset: footer,
			Want: fmt.Sprintf("an object of %d bytes, by its footer", size), Got: fmt.Sprint(max(sizeBytes, int64(len(suffix))))}
	}
	return entries, 0, nil
}

// entries reads the footer of a flight. footer is the offset in the object at which it must begin.
func (s sealed) entries(key string) (entries []Entry, footer int64, err error) {
	c := &cursor{key: key, part: PartObject, base: -int64(len(s.footer)) - TrailerSize, data: s.footer}
	count := c.u32("window count")
	if uint64(count) > uint64(c.left()/entryFixedSize) {
		c.failAt(0, fmt.Sprintf("at most %d windows in this footer", c.left()/entryFixedSize), fmt.Sprint(count))
		return nil, 0, c.err
	}
	entries = make([]Entry, 0, count)
	next := uint64(HeaderSize)
	for range count {
		e := c.entry(next)
		next += e.Length
		entries = append(entries, e)
	}
	c.end()
	return entries, int64(next), c.err
}

// entry reads one entry, whose window must begin at this offset.
func (c *cursor) entry(offset uint64) Entry {
	at := c.at
	e := Entry{
		Stream:      keys.StreamID(c.text("stream id")),
		StreamEpoch: keys.StreamEpoch(c.u64("stream epoch")),
		First:       keys.Seq(c.u64("first seq")),
		Count:       c.u32("record count"),
		Offset:      uint64(c.u32("window offset")),
		Length:      uint64(c.u32("window length")),
		FirstStamp:  int64(c.u64("first stamp")),
		LastStamp:   int64(c.u64("last stamp")),
		Codec:       Codec(c.u8("codec")),
		CRC:         c.u32("window CRC"),
	}
	switch {
	case c.err != nil:
	case e.Offset != offset:
		c.failAt(at, fmt.Sprintf("a window at offset %d", offset), fmt.Sprint(e.Offset))
	case e.Stream == "" || e.Count == 0 || e.Length == 0:
		c.failAt(at, "a stream id, records and bytes", fmt.Sprintf("stream %q, %d records, %d bytes", e.Stream, e.Count, e.Length))
	case uint64(e.First) > math.MaxUint64-uint64(e.Count):
		c.failAt(at, "a last seq below 2^64", fmt.Sprintf("first seq %d and %d records", e.First, e.Count))
	case e.LastStamp < e.FirstStamp:
		c.failAt(at, fmt.Sprintf("a last stamp from %d", e.FirstStamp), fmt.Sprint(e.LastStamp))
	case e.Codec > lastCodec:
		c.failAt(at, fmt.Sprintf("a codec up to %d", lastCodec), fmt.Sprint(uint8(e.Codec)))
	}
	return e
}
