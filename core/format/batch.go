package format

import (
	"encoding/binary"
	"math/bits"

	"github.com/novastream/nova/io/run"
)

// HeaderField is one header of a record.
type HeaderField struct{ Name, Value []byte }

// Record is one record as it is at rest; its seq follows from its place.
type Record struct {
	StampMicros int64
	Headers     []HeaderField
	Body        []byte
}

// Producer names a batch of a producer that wants duplicates found.
type Producer struct {
	ID         string // at most 255 bytes
	Epoch, Seq uint64
}

// Batch is the records of one append call, at least one.
type Batch struct {
	Producer *Producer
	Records  []Record
}

const (
	batchHeaderSize = 9
	minRecordSize   = 3
	flagProducer    = 1
)

// EncodedSize is how many bytes AppendBatch appends.
func (b Batch) EncodedSize() int {
	size := batchHeaderSize
	if b.Producer != nil {
		size += 1 + len(b.Producer.ID) + 16
	}
	var before int64
	for _, r := range b.Records {
		size += uvarintSize(zigzag(r.StampMicros-before)) + uvarintSize(uint64(len(r.Headers))) + prefixedSize(r.Body)
		for _, f := range r.Headers {
			size += prefixedSize(f.Name) + prefixedSize(f.Value)
		}
		before = r.StampMicros
	}
	return size
}

// AppendBatch encodes the batch at the end of dst. A batch without records, above MaxWindowBytes, or with a producer id
// that is too long is a broken invariant: whoever admitted it had to refuse it.
func AppendBatch(dst []byte, b Batch) []byte {
	size := b.EncodedSize()
	if len(b.Records) == 0 || size > MaxWindowBytes || b.Producer != nil && len(b.Producer.ID) > maxText {
		run.Broken("format: batch of %d records and %d bytes cannot be encoded", len(b.Records), size)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(b.Records)))
	if p := b.Producer; p == nil {
		dst = append(dst, 0)
	} else {
		dst = appendText(append(dst, flagProducer), p.ID)
		dst = binary.LittleEndian.AppendUint64(dst, p.Epoch)
		dst = binary.LittleEndian.AppendUint64(dst, p.Seq)
	}
	var before int64
	for _, r := range b.Records {
		dst = binary.AppendUvarint(dst, zigzag(r.StampMicros-before))
		dst = binary.AppendUvarint(dst, uint64(len(r.Headers)))
		for _, f := range r.Headers {
			dst = appendPrefixed(appendPrefixed(dst, f.Name), f.Value)
		}
		dst = appendPrefixed(dst, r.Body)
		before = r.StampMicros
	}
	return dst
}

func appendPrefixed(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

func prefixedSize(b []byte) int { return uvarintSize(uint64(len(b))) + len(b) }

func zigzag(n int64) uint64 { return uint64(n)<<1 ^ uint64(n>>63) }

func uvarintSize(n uint64) int { return (bits.Len64(n|1) + 6) / 7 }
