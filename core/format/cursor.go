package format

import (
	"encoding/binary"
	"fmt"
)

// cursor reads fields from untrusted bytes. The first fault stays in err; from then on every read gives zero.
type cursor struct {
	key  string
	part Part
	base int64 // the offset of data[0] within the part
	data []byte
	at   int
	err  error
}

// fail records the first fault, at the offset of the part where the next read would begin.
func (c *cursor) fail(want, got string) {
	c.failAt(c.at, want, got)
}

// failAt is fail at an index of data.
func (c *cursor) failAt(at int, want, got string) {
	if c.err == nil {
		c.err = &CorruptError{Key: c.key, Part: c.part, Offset: c.base + int64(at), Want: want, Got: got}
	}
	c.at = len(c.data)
}

func (c *cursor) left() int { return len(c.data) - c.at }

// take gives the next n bytes, shared with data.
func (c *cursor) take(n uint64, what string) []byte {
	if n > uint64(c.left()) {
		c.fail(fmt.Sprintf("%d bytes of %s", n, what), fmt.Sprintf("%d", c.left()))
		return nil
	}
	from := c.at
	c.at += int(n)
	return c.data[from:c.at:c.at]
}

func (c *cursor) u8(what string) uint8 {
	if b := c.take(1, what); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u16(what string) uint16 {
	if b := c.take(2, what); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (c *cursor) u32(what string) uint32 {
	if b := c.take(4, what); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) u64(what string) uint64 {
	if b := c.take(8, what); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// text reads a length byte and that many bytes.
func (c *cursor) text(what string) string {
	return string(c.take(uint64(c.u8(what)), what))
}

// uvarint reads a varint in its shortest form.
func (c *cursor) uvarint(what string) uint64 {
	n, size := binary.Uvarint(c.data[c.at:])
	if size <= 0 || size > 1 && c.data[c.at+size-1] == 0 {
		c.fail("a minimal varint: "+what, describe(c.data[c.at:min(len(c.data), c.at+binary.MaxVarintLen64)]))
		return 0
	}
	c.at += size
	return n
}

// varint reads a signed varint in its shortest form.
func (c *cursor) varint(what string) int64 {
	u := c.uvarint(what)
	return int64(u>>1) ^ -int64(u&1)
}

// end demands that everything was read.
func (c *cursor) end() {
	if c.left() > 0 {
		c.fail("the end", fmt.Sprintf("%d more bytes", c.left()))
	}
}

// describe prints a few bytes for an error.
func describe(b []byte) string {
	if len(b) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%x", b)
}
