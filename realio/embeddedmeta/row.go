package embeddedmeta

import (
	"bytes"
	"encoding/binary"
	"errors"
	"time"

	"github.com/novastream/nova/io/meta"
)

// row is the value of a row. On disk, with integers as uvarints:
//
//	version, created, modified (ns since 1970), session (0: durable), number of indexes,
//	each index: length, name, length, secondary key
//	the value, to the end
type row struct {
	version  meta.Version
	created  int64
	modified int64
	session  uint64
	indexes  []meta.Index
	value    []byte
}

func (r row) ephemeral() bool { return r.session != 0 }

// record is the row as callers see it.
func (r row) record(key string) meta.Record {
	return meta.Record{
		Key: key, Value: r.value, Version: r.version,
		Created: time.Unix(0, r.created), Modified: time.Unix(0, r.modified),
	}
}

func (r row) encode() []byte {
	b := make([]byte, 0, len(r.value)+48)
	for _, n := range []uint64{uint64(r.version), uint64(r.created), uint64(r.modified), r.session, uint64(len(r.indexes))} {
		b = binary.AppendUvarint(b, n)
	}
	for _, index := range r.indexes {
		for _, text := range []string{index.Name, index.Key} {
			b = binary.AppendUvarint(b, uint64(len(text)))
			b = append(b, text...)
		}
	}
	return append(b, r.value...)
}

var errRow = errors.New("corrupt row")

// decodeRow takes a row apart; its value is a copy.
func decodeRow(b []byte) (r row, err error) {
	var head [5]uint64
	for i := range head {
		if head[i], b, err = number(b); err != nil {
			return row{}, err
		}
	}
	r = row{version: meta.Version(head[0]), created: int64(head[1]), modified: int64(head[2]), session: head[3]}
	for range head[4] {
		var index meta.Index
		if index.Name, b, err = text(b); err != nil {
			return row{}, err
		}
		if index.Key, b, err = text(b); err != nil {
			return row{}, err
		}
		r.indexes = append(r.indexes, index)
	}
	r.value = bytes.Clone(b)
	return r, nil
}

func number(b []byte) (uint64, []byte, error) {
	n, size := binary.Uvarint(b)
	if size <= 0 {
		return 0, nil, errRow
	}
	return n, b[size:], nil
}

func text(b []byte) (string, []byte, error) {
	n, b, err := number(b)
	if err != nil || n > uint64(len(b)) {
		return "", nil, errRow
	}
	return string(b[:n]), b[n:], nil
}
