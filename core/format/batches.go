package format

import (
	"fmt"
	"iter"
)

// Batches decodes the batches of a window, back to back, up to the first fault. key is the object's and serves errors.
// What it yields shares memory with raw.
func Batches(key string, raw []byte) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		c := &cursor{key: key, part: PartWindow, data: raw}
		for c.left() > 0 {
			b := c.batch()
			if c.err != nil {
				yield(Batch{}, c.err)
				return
			}
			if !yield(b, nil) {
				return
			}
		}
	}
}

// countRecords walks the batch headers of a window and adds up their records.
func countRecords(key string, raw []byte) (uint64, error) {
	c := &cursor{key: key, part: PartWindow, data: raw}
	total := uint64(0)
	for c.left() > 0 {
		count, _ := c.batchHeader()
		total += uint64(count)
	}
	return total, c.err
}

// batchHeader reads the start of a batch and steps over it; rest reads what follows its record count.
func (c *cursor) batchHeader() (count uint32, rest cursor) {
	at := c.at
	size := c.u32("batch length")
	count = c.u32("record count")
	if c.err == nil && size < batchHeaderSize {
		c.failAt(at, fmt.Sprintf("a batch of at least %d bytes", batchHeaderSize), fmt.Sprint(size))
	}
	if c.err != nil {
		return 0, cursor{}
	}
	rest = cursor{key: c.key, part: c.part, base: c.base + int64(c.at)}
	rest.data = c.take(uint64(size)-8, "batch")
	if most := len(rest.data) / minRecordSize; c.err == nil && (count == 0 || uint64(count) > uint64(most)) {
		c.failAt(at+4, fmt.Sprintf("1 to %d records in a batch of %d bytes", most, size), fmt.Sprint(count))
	}
	return count, rest
}

// batch reads one batch.
func (c *cursor) batch() Batch {
	count, in := c.batchHeader()
	if c.err != nil {
		return Batch{}
	}
	var b Batch
	switch flags := in.u8("flags"); flags {
	case 0:
	case flagProducer:
		b.Producer = &Producer{ID: in.text("producer id"), Epoch: in.u64("producer epoch"), Seq: in.u64("producer sequence")}
	default:
		in.failAt(0, fmt.Sprintf("flags 0 or %d", flagProducer), fmt.Sprint(flags))
	}
	b.Records = make([]Record, 0, count)
	stamp := int64(0)
	for range count {
		r := in.record(stamp)
		if in.err != nil {
			break
		}
		stamp = r.StampMicros
		b.Records = append(b.Records, r)
	}
	in.end()
	if in.err != nil {
		c.err = in.err
		return Batch{}
	}
	return b
}

// record reads one record behind one with the stamp before.
func (c *cursor) record(before int64) Record {
	r := Record{StampMicros: before + c.varint("stamp")}
	count := c.uvarint("header count")
	if count > uint64(c.left()/2) {
		c.fail(fmt.Sprintf("at most %d headers", c.left()/2), fmt.Sprint(count))
		return Record{}
	}
	if count > 0 {
		r.Headers = make([]HeaderField, 0, count)
	}
	for range count {
		r.Headers = append(r.Headers, HeaderField{Name: c.prefixed("header name"), Value: c.prefixed("header value")})
	}
	r.Body = c.prefixed("body")
	return r
}

func (c *cursor) prefixed(what string) []byte {
	return c.take(c.uvarint(what), what)
}
