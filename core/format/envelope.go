package format

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Version is the format version that this release writes, and the newest it reads.
const Version = 1

// Kind is what a slot object is.
type Kind uint8

// The kinds.
const (
	KindFlight Kind = iota + 1
	KindPoison
)

const (
	magicSize   = 8
	flightMagic = "NOVAFLIT"
	poisonMagic = "NOVAPOIS"

	// TrailerSize is the length of what every slot object ends with.
	TrailerSize = 24
	// MaxObjectBytes bounds a slot object.
	MaxObjectBytes = 1 << 30
)

func (k Kind) String() string { return [...]string{"none", "flight", "poison"}[k] }

func (k Kind) magic() string { return [...]string{"", flightMagic, poisonMagic}[k] }

func castagnoli(sum uint32, data []byte) uint32 {
	return crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), data)
}

// seal ends an object whose footer begins at this index.
func seal(object []byte, kind Kind, key string, footer int) []byte {
	object = binary.LittleEndian.AppendUint32(object, castagnoli(0, object))
	object = binary.LittleEndian.AppendUint32(object, uint32(len(object)-4-footer))
	object = binary.LittleEndian.AppendUint16(object, Version)
	object = append(object, 0, 0)
	object = binary.LittleEndian.AppendUint32(object, castagnoli(castagnoli(0, []byte(key)), object[footer:]))
	return append(object, kind.magic()...)
}

// sealed is an object's footer and trailer, taken from a suffix of the object and checked against its key.
type sealed struct {
	kind      Kind
	version   uint16
	objectCRC uint32
	footer    []byte
	need      int64 // not zero: the suffix must be this long, and nothing else is set but the kind
}

// unseal reads the footer at the end of a suffix of an object. Offsets in its errors count from the object's end.
func unseal(key string, suffix []byte) (sealed, error) {
	start := max(0, len(suffix)-TrailerSize)
	c := &cursor{key: key, part: PartObject, base: -int64(len(suffix) - start), data: suffix[start:]}
	s := sealed{objectCRC: c.u32("object CRC")}
	length := int64(c.u32("footer length"))
	s.version = c.u16("format version")
	c.zeros(2)
	crc := c.u32("footer CRC")
	switch magic := c.take(magicSize, "magic"); string(magic) {
	case flightMagic:
		s.kind = KindFlight
	case poisonMagic:
		s.kind = KindPoison
	default:
		c.failAt(TrailerSize-magicSize, "magic "+flightMagic+" or "+poisonMagic, fmt.Sprintf("%q", magic))
	}
	if length > MaxObjectBytes {
		c.failAt(4, fmt.Sprintf("a footer of at most %d bytes", MaxObjectBytes), fmt.Sprint(length))
	}
	if c.err != nil {
		return sealed{}, c.err
	}
	if need := length + TrailerSize; need > int64(len(suffix)) {
		return sealed{kind: s.kind, need: need}, nil
	}
	covered := suffix[len(suffix)-TrailerSize-int(length) : len(suffix)-magicSize-4]
	s.footer = covered[:length:length]
	if sum := castagnoli(castagnoli(0, []byte(key)), covered); sum != crc {
		c.failAt(12, fmt.Sprintf("footer CRC %08x for this key", sum), fmt.Sprintf("%08x", crc))
		return sealed{}, c.err
	}
	return s, s.judgeVersion(key, c)
}

// judgeVersion is asked only of an intact trailer.
func (s sealed) judgeVersion(key string, c *cursor) error {
	if s.version > Version {
		return &VersionError{Key: key, Version: s.version, Supported: Version}
	}
	if s.version < 1 {
		c.failAt(8, "a format version from 1", fmt.Sprint(s.version))
	}
	return c.err
}
