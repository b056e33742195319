package refs

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// Row is one ref row as read.
type Row struct {
	First   keys.Seq
	Version meta.Version
	Value   *records.RefRow
}

// End is the seq after the last record that the row covers.
func (r Row) End() keys.Seq { return keys.Seq(r.Value.GetEnd()) }

// Tail is the end of a last row, or 0 where there is none.
func Tail(last Row, found bool) keys.Seq {
	if !found {
		return 0
	}
	return last.End()
}

// Last reads the row with the highest key: its end is the refs tail. Give a fresh view where absence decides.
func Last(ctx context.Context, m meta.Metastore, id keys.StreamID) (Row, bool, error) {
	return floor(ctx, m, id, keys.LastRefName, decode)
}

type decoder func(key string, value []byte) (*records.RefRow, error)

func floor(ctx context.Context, m meta.Metastore, id keys.StreamID, probe string, decode decoder) (Row, bool, error) {
	rec, err := m.Within(keys.StreamLocality(id)).FloorGet(ctx, keys.RefsPrefix(id), probe)
	if errors.Is(err, meta.ErrNotFound) {
		return Row{}, false, nil
	}
	if err != nil {
		return Row{}, false, fmt.Errorf("read ref row of stream %s: %w", id, err)
	}
	first, err := keys.ParseRefRow(rec.Key)
	if err != nil {
		return Row{}, false, err
	}
	value, err := decode(rec.Key, rec.Value)
	if err != nil {
		return Row{}, false, err
	}
	return Row{First: first, Version: rec.Version, Value: value}, true, nil
}

func decode(key string, value []byte) (*records.RefRow, error) {
	row := &records.RefRow{}
	if err := proto.Unmarshal(value, row); err != nil {
		return nil, fmt.Errorf("ref row %s does not decode: %w", key, err)
	}
	return row, nil
}

// Create makes a row at exactly the tail. meta.ErrConflict: another committer was there.
// A successful create is not coverage: only a read made after it is (refs.md).
func Create(ctx context.Context, m meta.Metastore, id keys.StreamID, first keys.Seq, value *records.RefRow) (meta.Version, error) {
	return write(ctx, m, id, first, value, meta.Absent())
}

// Replace writes a row over the version that was read.
func Replace(ctx context.Context, m meta.Metastore, id keys.StreamID, row Row) (meta.Version, error) {
	return write(ctx, m, id, row.First, row.Value, meta.At(row.Version))
}

// Delete removes a redundant row by the version that was seen.
func Delete(ctx context.Context, m meta.Metastore, id keys.StreamID, first keys.Seq, at meta.Version) error {
	if err := m.Within(keys.StreamLocality(id)).Delete(ctx, keys.RefRow(id, first), meta.At(at)); err != nil {
		return fmt.Errorf("delete ref row %s: %w", keys.RefRow(id, first), err)
	}
	return nil
}

func write(ctx context.Context, m meta.Metastore, id keys.StreamID, first keys.Seq, value *records.RefRow, expect meta.Expect) (meta.Version, error) {
	bytes, err := proto.Marshal(value)
	if err != nil {
		return 0, err
	}
	index := []meta.Index{{Name: keys.IndexByTime, Key: keys.ByTime(id, value.GetLastStampUs(), first)}}
	key := keys.RefRow(id, first)
	version, err := m.Within(keys.StreamLocality(id)).PutIndexed(ctx, key, bytes, expect, index)
	if err != nil {
		return 0, fmt.Errorf("write ref row %s: %w", key, err)
	}
	return version, nil
}
