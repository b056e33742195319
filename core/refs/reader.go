package refs

import (
	"bytes"
	"context"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// memoBytes bounds the encoded rows that a Reader remembers; beyond it the memory starts anew.
const memoBytes = 4 << 20

// Reader reads rows for those who only look at them. It asks the metastore each time; what it spares is decoding a row that
// is, byte for byte, as it was. The values that it gives are shared and must not be changed.
type Reader struct {
	rows  map[string]decoded // by key
	bytes int
}

type decoded struct {
	from  []byte
	value *records.RefRow
}

// NewReader makes a Reader that remembers nothing yet.
func NewReader() *Reader { return &Reader{rows: map[string]decoded{}} }

// Last is as the function of that name.
func (r *Reader) Last(ctx context.Context, m meta.Metastore, id keys.StreamID) (Row, bool, error) {
	return floor(ctx, m, id, keys.LastRefName, r.decode)
}

// Floor reads the row with the highest first seq at or below seq.
func (r *Reader) Floor(ctx context.Context, m meta.Metastore, id keys.StreamID, seq keys.Seq) (Row, bool, error) {
	return floor(ctx, m, id, keys.RefName(seq), r.decode)
}

// Before reads the row with the highest first seq below first.
func (r *Reader) Before(ctx context.Context, m meta.Metastore, id keys.StreamID, first keys.Seq) (Row, bool, error) {
	if first == 0 {
		return Row{}, false, nil
	}
	return floor(ctx, m, id, keys.RefName(first-1), r.decode)
}

func (r *Reader) decode(key string, value []byte) (*records.RefRow, error) {
	known, ok := r.rows[key]
	if ok && bytes.Equal(known.from, value) {
		return known.value, nil
	}
	row, err := decode(key, value)
	if err != nil {
		return nil, err
	}
	if r.bytes += len(value) - len(known.from); r.bytes > memoBytes {
		clear(r.rows)
		r.bytes = len(value)
	}
	r.rows[key] = decoded{value, row}
	return row, nil
}
