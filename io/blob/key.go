package blob

import (
	"fmt"
	"strings"
)

// MaxKeyBytes is the length of the longest key.
const MaxKeyBytes = 1024

// CheckKey says why a key is none: ErrInvalid.
func CheckKey(key string) error {
	if key == "" || len(key) > MaxKeyBytes {
		return fmt.Errorf("%w: key of %d bytes, 1 to %d are allowed", ErrInvalid, len(key), MaxKeyBytes)
	}
	for rest, more := key, true; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		if segment == "" || segment == "." || segment == ".." || !Plain(segment) {
			return fmt.Errorf("%w: key %q: segment %q", ErrInvalid, key, segment)
		}
	}
	return nil
}

// Plain says whether a text is made of the letters that a key's segments are made of.
func Plain(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && c != '.' && c != '_' && c != '~' && c != '-' {
			return false
		}
	}
	return true
}
