package embeddedmeta

import (
	"bytes"
	"strings"
)

// The tables, by the first byte of a key. A row's name is what comes after the space in its key.
//
//	boot     'm' "boot"
//	binding  'b' row key                                                the row is ephemeral
//	index    'i' space escaped(index) end escaped(secondary) end name   value empty
//	row      'r' space name
//	name     number of "/", one byte, then the key                      hierarchical spaces
//	         the key                                                    natural spaces
//
// So the children of a prefix are one run of rows: those with one "/" more that start with the prefix and "/". Escaping
// writes a zero byte as 00 ff, and end is 00 01, so that encoded secondary keys sort as they are.
const (
	tableBindings byte = 'b'
	tableIndex    byte = 'i'
	tableMeta     byte = 'm'
	tableRows     byte = 'r'
)

// maxSlashes is what the depth byte holds, with one to spare for children.
const maxSlashes = 254

var (
	bootKey = []byte{tableMeta, 'b', 'o', 'o', 't'}
	keyEnd  = []byte{0, 1}
	pastEnd = []byte{0, 2}
)

// space is one of the namespaces.
type space byte

const (
	spaceRecords space = iota + 1
	spaceWork
	spaceEphemeral
	spaceNaming
)

func (sp space) natural() bool { return sp == spaceNaming }

// row is the key of a row.
func (sp space) row(key string) []byte {
	b := make([]byte, 0, len(key)+3)
	b = append(b, tableRows, byte(sp))
	if !sp.natural() {
		b = append(b, byte(strings.Count(key, "/")))
	}
	return append(b, key...)
}

// key is the inverse of row.
func (sp space) key(row []byte) string {
	if sp.natural() {
		return string(row[2:])
	}
	return string(row[3:])
}

// children bounds the rows that are children of a prefix.
func (sp space) children(prefix string) (lower, upper []byte) {
	lower = sp.row(prefix + "/")
	return lower, after(lower)
}

// child is the key of a child's row; name may be any bytes.
func child(lower []byte, name string) []byte { return append(bytes.Clone(lower), name...) }

// starting bounds the rows of a natural space whose keys start with prefix.
func (sp space) starting(prefix string) (lower, upper []byte) {
	lower = sp.row(prefix)
	return lower, after(lower)
}

// index is what the entries of an index start with.
func (sp space) index(name string) []byte {
	return append(escape([]byte{tableIndex, byte(sp)}, name), keyEnd...)
}

// entry is the key of an index entry. row is the key of the record's row.
func (sp space) entry(name, secondary string, row []byte) []byte {
	b := append(escape(sp.index(name), secondary), keyEnd...)
	return append(b, row[2:]...)
}

// entryOf takes an entry apart: the secondary key and the key of the row. index is what the entries start with.
func (sp space) entryOf(entry, index []byte) (secondary string, row []byte) {
	var text []byte
	rest := entry[len(index):]
	for {
		i := bytes.IndexByte(rest, 0)
		text = append(text, rest[:i]...)
		end := rest[i+1] == keyEnd[1]
		rest = rest[i+2:]
		if end {
			return string(text), append([]byte{tableRows, byte(sp)}, rest...)
		}
		text = append(text, 0)
	}
}

func escape(b []byte, s string) []byte {
	for i := range len(s) {
		b = append(b, s[i])
		if s[i] == 0 {
			b = append(b, 0xff)
		}
	}
	return b
}

// after is the least key above all that start with b. There is one: the first byte of a key is not 0xff.
func after(b []byte) []byte {
	up := bytes.Clone(b)
	for i := len(up) - 1; ; i-- {
		if up[i] != 0xff {
			up[i]++
			return up[:i+1]
		}
	}
}

// follows is the least key above b.
func follows(b []byte) []byte { return append(bytes.Clone(b), 0) }

func greater(a, b []byte) []byte {
	if bytes.Compare(a, b) > 0 {
		return a
	}
	return b
}

func lesser(a, b []byte) []byte {
	if bytes.Compare(a, b) < 0 {
		return a
	}
	return b
}
