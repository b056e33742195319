package oxiameta

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/novastream/nova/io/meta"
)

const (
	maxValueBytes = 1 << 20
	// maxKeyBytes also keeps the number of slashes below the one at which hierarchical order stops counting.
	maxKeyBytes = 16 << 10
	// maxWriteBytes bounds a put with its key and indexes: far below the 64 MiB that stop a shard.
	maxWriteBytes = maxValueBytes + 512<<10
	// internalPrefix is where servers keep their own records.
	internalPrefix = "__oxia"
)

// checkKey says why a hierarchical key or prefix is none.
func checkKey(key string) error {
	if why := commonFault(key); why != "" {
		return invalid("key %.80q: %s", key, why)
	}
	if key[0] == '/' || key[len(key)-1] == '/' || strings.Contains(key, "//") {
		return invalid("key %.80q: it has an empty segment", key)
	}
	return nil
}

// checkNatural says why a key of the naming service is none.
func checkNatural(key string) error {
	if why := commonFault(key); why != "" {
		return invalid("key %.80q: %s", key, why)
	}
	if strings.IndexByte(key, 0) >= 0 {
		return invalid("key %.80q: it has a zero byte", key)
	}
	return nil
}

func commonFault(key string) string {
	switch {
	case key == "":
		return "it is empty"
	case len(key) > maxKeyBytes:
		return fmt.Sprintf("it has %d bytes, at most %d fit", len(key), maxKeyBytes)
	case !utf8.ValidString(key):
		return "it is not UTF-8"
	case key == internalPrefix || strings.HasPrefix(key, internalPrefix+"/"):
		return "it is in the servers' own key space"
	case strings.HasPrefix(key+"/", reserved):
		return "it is in this client's own key space"
	default:
		return ""
	}
}

// checkChild says why a name under a prefix is none.
func checkChild(prefix, name string) error {
	if err := checkKey(prefix); err != nil {
		return err
	}
	if name == "" || len(name) > maxKeyBytes || !utf8.ValidString(name) || strings.IndexByte(name, '/') >= 0 {
		return invalid("name %.80q under %.80q: it must be one segment of a key", name, prefix)
	}
	return nil
}

func checkValue(key string, value []byte) error {
	if len(value) > maxValueBytes {
		return invalid("value of %.80q has %d bytes, at most %d fit", key, len(value), maxValueBytes)
	}
	return nil
}

func checkIndexName(name string) error {
	if name == "" || !utf8.ValidString(name) || strings.ContainsAny(name, "/\x01") {
		return invalid("index name %.80q", name)
	}
	return nil
}

func checkIndexes(indexes []meta.Index) error {
	for _, x := range indexes {
		if err := checkIndexName(x.Name); err != nil {
			return err
		}
		if x.Key == "" || !utf8.ValidString(x.Key) {
			return invalid("secondary key %.80q of index %s: it must be UTF-8 and not empty", x.Key, x.Name)
		}
	}
	return nil
}

func checkLimit(limit int) error {
	if limit <= 0 {
		return invalid("limit %d", limit)
	}
	return nil
}

func checkText(texts ...string) error {
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return invalid("%.80q is not UTF-8", text)
		}
	}
	return nil
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", meta.ErrInvalid, fmt.Sprintf(format, args...))
}
