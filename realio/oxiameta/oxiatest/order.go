package oxiatest

import (
	"encoding/binary"
	"strings"
)

// maxDepth is where hierarchical order stops counting.
const maxDepth = 32767

// order is the sort order of a namespace.
type order struct{ natural bool }

// place gives a string whose bytewise order is the order of keys.
func (o order) place(key string) string {
	if o.natural {
		return key
	}
	depth := o.depth(key)
	b := binary.BigEndian.AppendUint16(make([]byte, 0, len(key)+2), uint16(depth))
	for i := range len(key) {
		if key[i] == '/' {
			b = append(b, 0xff)
		} else {
			b = append(b, key[i])
		}
	}
	return string(b)
}

func (o order) depth(key string) int {
	if o.natural {
		return 0
	}
	depth := strings.Count(key, "/")
	if strings.HasSuffix(key, "//") {
		depth--
	}
	return min(depth, maxDepth)
}
