package oxiameta

import (
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// route is where a key or a locality lies on the ring of hashes that shards share.
func route(key string) uint32 { return uint32(xxh3.HashString(key)) }

// childBounds are the bounds of the children of a prefix, in hierarchical order: start inclusive, end exclusive. There "//"
// at the end counts as one slash, and a slash sorts after every other byte.
func childBounds(prefix string) (start, end string) { return prefix + "/", prefix + "//" }

// follows is the least key above this one.
func follows(key string) string { return key + "\x00" }

// past is the least string above all that start with prefix, in bytewise order; empty if there is none.
func past(prefix string) string {
	for prefix != "" {
		last, size := utf8.DecodeLastRuneInString(prefix)
		prefix = prefix[:len(prefix)-size]
		switch {
		case last == utf8.MaxRune:
			continue
		case last == 0xd7ff: // what lies between is no character
			return prefix + "\ue000"
		default:
			return prefix + string(last+1)
		}
	}
	return ""
}

// Secondary keys travel escaped, so that they hold no slash and no byte up to 0x01 and still sort bytewise: in hierarchical
// order a slash in them would tear an index apart (scans with bounds of different depth crash servers), and 0x01 ends a
// secondary key in the servers' own keys. The escapes of a character start with a byte between its neighbours.
//
//	0x00  02 02      "."  ".-"
//	0x01  02 03      "/"  ".."
//	0x02  02 04

// escape is a secondary key, or the start of one, as it travels.
func escape(secondary string) string {
	if !strings.ContainsAny(secondary, "\x00\x01\x02./") {
		return secondary
	}
	b := make([]byte, 0, len(secondary)+8)
	for i := range len(secondary) {
		switch c := secondary[i]; c {
		case 0, 1, 2:
			b = append(b, 2, c+2)
		case '.':
			b = append(b, ".-"...)
		case '/':
			b = append(b, ".."...)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// unescape is the inverse of escape; ok is false where escape gives no such text.
func unescape(text string) (secondary string, ok bool) {
	if !strings.ContainsAny(text, "\x02.") {
		return text, true
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != 2 && c != '.' {
			b = append(b, c)
			continue
		}
		if i++; i == len(text) {
			return "", false
		}
		switch d := text[i]; {
		case c == 2 && d >= 2 && d <= 4:
			b = append(b, d-2)
		case c == '.' && d == '-':
			b = append(b, '.')
		case c == '.' && d == '.':
			b = append(b, '/')
		default:
			return "", false
		}
	}
	return string(b), true
}

// indexEnd ends every text that an index holds, of those that start the same way. It has no slash.
const indexEnd = "\U0010ffff\U0010ffff"

// indexBounds are the bounds, escaped, of the secondary keys that start with prefix and lie above after.
func indexBounds(prefix, after string) (start, end string) {
	start, end = escape(prefix), escape(prefix)+indexEnd
	if after != "" && after >= prefix {
		start = escape(after) + "\x02" // above all entries of this key, and at or below every longer one
	}
	return start, end
}

// indexFloor is the secondary key, escaped, at or below which the greatest that starts with prefix is sought; ok is false
// where there can be none.
func indexFloor(prefix, probe string) (at string, ok bool) {
	switch {
	case probe == "" || probe < prefix:
		return "", false
	case strings.HasPrefix(probe, prefix):
		return escape(probe), true
	default: // above all of them
		return escape(prefix) + indexEnd, true
	}
}
