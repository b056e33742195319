package format

import (
	"fmt"
	"iter"
	"slices"
)

// Batches decodes the batches of a window, back to back, up to the first fault. key is the object's and serves errors.
// What it yields shares memory with raw.
func Batches(key string, raw []byte) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		c := &cursor{key: key, part: PartWindow, data: raw}
		for c.left() > 0 {
			b := c.batch(nil)
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

// Scan reads the batches of one window after the other into the same memory, for those who read many.
type Scan struct {
	c       cursor
	records []Record
}

// Start begins with a window, at the batch that holds the record at an index. skipped counts the records before that batch,
// whose bytes are not looked at.
func (s *Scan) Start(key string, raw []byte, index uint64) (skipped uint64) {
	s.c = cursor{key: key, part: PartWindow, data: raw}
	for s.c.left() > 0 {
		here := s.c
		count, _ := s.c.batchHeader()
		if s.c.err != nil || skipped+uint64(count) > index {
			s.c = here // Next tells a fault
			break
		}
		skipped += uint64(count)
	}
	return skipped
}

// Next reads the next batch; false: there is none, or Err says why it cannot be read. The batch shares memory with the
// window; its list of records is valid until the next call.
func (s *Scan) Next() (b Batch, ok bool) {
	if s.c.err != nil || s.c.left() == 0 {
		return Batch{}, false
	}
	b = s.c.batch(s.records[:0])
	s.records = b.Records
	return b, s.c.err == nil
}

// Err is the fault that ended the scan, if one did.
func (s *Scan) Err() error { return s.c.err }

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

// batch reads one batch. It puts the records into the memory given, where they fit.
func (c *cursor) batch(records []Record) Batch {
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
	b.Records = slices.Grow(records, int(count))
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
