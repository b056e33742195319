package format

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Codec is how the bytes of a window are stored.
type Codec uint8

// The codecs.
const (
	CodecNone Codec = iota
	CodecZstd

	lastCodec = CodecZstd
)

func (c Codec) String() string {
	switch c {
	case CodecNone:
		return "none"
	case CodecZstd:
		return "zstd"
	default:
		return fmt.Sprintf("codec %d", uint8(c))
	}
}

const (
	// MaxWindowBytes bounds a window before compression and after decompression.
	MaxWindowBytes = 64 << 20
	// minCompressBytes is the size below which a window is not worth the work.
	minCompressBytes = 512
	// A window from minProbeBytes on is compressed only if one of two samples of it shrinks: compressing in vain costs
	// three times what storing does.
	minProbeBytes = 64 << 10
	probeBytes    = 8 << 10

	// By zstd's format a block takes 4 bytes or more and holds 128 KiB or less.
	zstdMinBlock = 4
	zstdMaxBlock = 128 << 10
)

// The coders hold scratch memory and options, nothing that an answer depends on. They may be used by several tasks at
// once, so one pair serves every star of the operating system's process.
//
//nolint:gochecknoglobals // constants in effect; see above
var (
	encoder = must(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false)))
	decoder = must(zstd.NewReader(nil, zstd.WithDecoderMaxMemory(MaxWindowBytes), zstd.WithDecodeAllCapLimit(true)))
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // the options above are wrong
	}
	return v
}

// compressBound is the most that compressing size bytes can append.
func compressBound(size int) int { return encoder.MaxEncodedSize(size) }

// appendStored appends raw as it is stored: compressed where that is smaller. It uses up to compressBound(len(raw)) bytes
// behind dst as scratch.
func appendStored(dst, raw []byte) ([]byte, Codec) {
	middle := len(raw) / 2
	worth := len(raw) >= minCompressBytes
	if len(raw) >= minProbeBytes {
		worth = shrinks(dst, raw[:probeBytes]) || shrinks(dst, raw[middle:middle+probeBytes])
	}
	if worth {
		if packed := encoder.EncodeAll(raw, dst); len(packed)-len(dst) < len(raw) {
			return packed, CodecZstd
		}
	}
	return append(dst, raw...), CodecNone
}

// shrinks says whether a sample gets smaller by compressing it behind dst.
func shrinks(dst, sample []byte) bool {
	return len(encoder.EncodeAll(sample, dst))-len(dst) < len(sample)
}

// decompress gives what was stored, in memory of its own, or says what is wrong with it.
func decompress(stored []byte) ([]byte, error) {
	var h zstd.Header
	if err := h.Decode(stored); err != nil {
		return nil, err
	}
	bound := min(MaxWindowBytes, len(stored)/zstdMinBlock*zstdMaxBlock)
	if h.Skippable || !h.HasFCS || h.FrameContentSize > uint64(bound) {
		return nil, fmt.Errorf("a frame that tells a content of at most %d bytes was expected, not %d", bound, h.FrameContentSize)
	}
	raw, err := decoder.DecodeAll(stored, make([]byte, 0, h.FrameContentSize))
	if err != nil {
		return nil, err
	}
	if uint64(len(raw)) != h.FrameContentSize {
		return nil, fmt.Errorf("a content of %d bytes was expected, not %d", h.FrameContentSize, len(raw))
	}
	return raw, nil
}
