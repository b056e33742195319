package embeddedmeta

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/novastream/nova/io/meta"
)

const maxValueBytes = 1 << 20

// checkKey says why a key of this space is none.
func (sp space) checkKey(key string) error {
	why := ""
	switch {
	case key == "":
		why = "it is empty"
	case !utf8.ValidString(key):
		why = "it is not UTF-8"
	case sp.natural() && strings.IndexByte(key, 0) >= 0:
		why = "it has a zero byte"
	case !sp.natural() && (key[0] == '/' || key[len(key)-1] == '/' || strings.Contains(key, "//")):
		why = "it has an empty segment"
	case !sp.natural() && strings.Count(key, "/") > maxSlashes:
		why = fmt.Sprintf("it has more than %d slashes", maxSlashes)
	default:
		return nil
	}
	return fmt.Errorf("%w: key %q: %s", meta.ErrInvalid, key, why)
}

// checkWrite says why a put cannot be.
func (sp space) checkWrite(key string, value []byte, indexes []meta.Index) error {
	if err := sp.checkKey(key); err != nil {
		return err
	}
	if len(value) > maxValueBytes {
		return fmt.Errorf("%w: value of %q has %d bytes, at most %d fit", meta.ErrInvalid, key, len(value), maxValueBytes)
	}
	for _, index := range indexes {
		if err := checkIndex(index.Name); err != nil {
			return err
		}
	}
	return nil
}

func checkIndex(name string) error {
	if name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("%w: index name %q", meta.ErrInvalid, name)
	}
	return nil
}

func checkLimit(limit int) error {
	if limit <= 0 {
		return fmt.Errorf("%w: limit %d", meta.ErrInvalid, limit)
	}
	return nil
}
