package simmeta

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/RaduBerinde/btreemap"

	"github.com/novastream/nova/io/meta"
)

// maxValue is the most bytes of a value.
const maxValue = 1 << 20

// above is greater than every UTF-8 string that continues the same way.
const above = "\xff"

var (
	minRow = btreemap.Min[rowKey]() //nolint:gochecknoglobals // a constant that Go cannot spell
	maxRow = btreemap.Max[rowKey]() //nolint:gochecknoglobals // a constant that Go cannot spell
)

// opError names the call and the key; the outcome is one of meta's errors.
type opError struct {
	op, key string
	err     error
}

func (e *opError) Error() string { return fmt.Sprintf("simmeta: %s %q: %v", e.op, e.key, e.err) }
func (e *opError) Unwrap() error { return e.err }

// at places a key in the order of the space.
func (sp *space) at(key string) rowKey {
	if sp.id == Naming {
		return rowKey{0, key}
	}
	return rowKey{strings.Count(key, "/"), key}
}

// child places a child of a prefix. The children lie from the name "" up to the name above.
func child(prefix, name string) rowKey {
	return rowKey{strings.Count(prefix, "/") + 1, prefix + "/" + name}
}

// checkKey says what is wrong with a hierarchical key or prefix.
func checkKey(key string) error {
	if key == "" || !utf8.ValidString(key) || key[0] == '/' || key[len(key)-1] == '/' || strings.Contains(key, "//") {
		return meta.ErrInvalid
	}
	return nil
}

// checkNatural says what is wrong with a natural key.
func checkNatural(key string) error {
	if key == "" || !utf8.ValidString(key) || strings.IndexByte(key, 0) >= 0 {
		return meta.ErrInvalid
	}
	return nil
}

// checkName says what is wrong with one segment of a key.
func checkName(name string) error {
	if name == "" || !utf8.ValidString(name) || strings.IndexByte(name, '/') >= 0 {
		return meta.ErrInvalid
	}
	return nil
}

func checkIndexes(indexes []meta.Index) error {
	for _, x := range indexes {
		if checkName(x.Name) != nil || x.Key == "" || !utf8.ValidString(x.Key) {
			return meta.ErrInvalid
		}
	}
	return nil
}

func (v *view) check(key string) error {
	if v.natural {
		return checkNatural(key)
	}
	return checkKey(key)
}
