package format

import (
	"encoding/binary"
	"fmt"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
)

// The limits of names at rest.
const (
	maxStarID   = 64
	maxBootID   = 64
	maxStreamID = 255
	maxText     = 255
)

// HeaderSize is the length of the header that every slot object starts with, and the offset of its first window.
const HeaderSize = 160

// Header says which slot an object is for, and which process life wrote it (of poison: whose flight it keeps out).
type Header struct {
	Star  keys.StarID
	Boot  keys.BootID
	Epoch keys.Epoch
	Slot  keys.Slot
	Class records.Class
}

// Key is the store key of the slot.
func (h Header) Key() string { return keys.SlotObject(h.Star, h.Epoch, h.Slot) }

// at says whether the slot has this key.
func (h Header) at(key string) bool {
	star, epoch, slot, err := keys.ParseSlotObject(key)
	return err == nil && star == h.Star && epoch == h.Epoch && slot == h.Slot
}

// fault says why the header cannot be at rest, or nothing.
func (h Header) fault() string {
	switch {
	case len(h.Star) == 0 || len(h.Star) > maxStarID:
		return fmt.Sprintf("the star id is %d bytes long; 1 to %d are allowed", len(h.Star), maxStarID)
	case len(h.Boot) > maxBootID:
		return fmt.Sprintf("the boot id is %d bytes long; at most %d are allowed", len(h.Boot), maxBootID)
	case h.Class != records.Class_CLASS_STANDARD && h.Class != records.Class_CLASS_EXPRESS:
		return fmt.Sprintf("there is no class %d", h.Class)
	default:
		return ""
	}
}

func appendHeader(dst []byte, kind Kind, h Header) []byte {
	dst = append(dst, kind.magic()...)
	dst = binary.LittleEndian.AppendUint16(dst, Version)
	dst = append(dst, byte(h.Class), byte(len(h.Star)), byte(len(h.Boot)), 0, 0, 0)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(h.Epoch))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(h.Slot))
	dst = appendPadded(dst, string(h.Star), maxStarID)
	return appendPadded(dst, string(h.Boot), maxBootID)
}

func appendPadded(dst []byte, s string, width int) []byte {
	dst = append(dst, s...)
	return append(dst, make([]byte, width-len(s))...)
}

// decodeHeader reads the header of an object that must be of this kind and version 1.
func decodeHeader(key string, kind Kind, data []byte) (Header, error) {
	c := &cursor{key: key, part: PartObject, data: data}
	if magic := c.take(magicSize, "magic"); string(magic) != kind.magic() {
		c.failAt(0, fmt.Sprintf("magic %q", kind.magic()), fmt.Sprintf("%q", magic))
	}
	if v := c.u16("format version"); v != Version {
		c.failAt(magicSize, fmt.Sprintf("format version %d, as in the trailer", Version), fmt.Sprint(v))
	}
	h := Header{Class: records.Class(c.u8("class"))}
	starLength, bootLength := c.u8("length of the star id"), c.u8("length of the boot id")
	c.zeros(3)
	h.Epoch = keys.Epoch(c.u64("epoch"))
	h.Slot = keys.Slot(c.u64("slot"))
	h.Star = keys.StarID(c.padded(starLength, maxStarID, "star id"))
	h.Boot = keys.BootID(c.padded(bootLength, maxBootID, "boot id"))
	if c.err != nil {
		return Header{}, c.err
	}
	if fault := h.fault(); fault != "" {
		c.failAt(0, "a valid header", fault)
	} else if !h.at(key) {
		c.failAt(0, "a header of the slot "+key, "one of "+h.Key())
	}
	return h, c.err
}

// padded reads a zero padded field of which length bytes are used.
func (c *cursor) padded(length uint8, width int, what string) string {
	if int(length) > width {
		c.fail(fmt.Sprintf("a %s of at most %d bytes", what, width), fmt.Sprint(length))
		return ""
	}
	s := string(c.take(uint64(length), what))
	c.zeros(width - int(length))
	return s
}

// zeros reads n bytes that must be zero.
func (c *cursor) zeros(n int) {
	from := c.at
	for i, b := range c.take(uint64(n), "zeros") {
		if b != 0 {
			c.failAt(from+i, "a zero byte", fmt.Sprintf("%02x", b))
			return
		}
	}
}
