package keys

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The limits of names.
const (
	MaxBucketName = 63
	MaxStreamKey  = 512
	maxStarID     = 64
)

// NameError says what is wrong with a name that a user gave.
type NameError struct{ What, Name, Reason string }

func (e *NameError) Error() string {
	shown, rest := e.Name, ""
	if end := MaxBucketName; len(shown) > end {
		for end > 0 && !utf8.RuneStart(shown[end]) {
			end--
		}
		shown, rest = shown[:end], "..."
	}
	return fmt.Sprintf("%s %q%s: %s", e.What, shown, rest, e.Reason)
}

// CheckBucket accepts 1 to 63 of [a-z0-9-].
func CheckBucket(name string) error {
	if !plain(name, MaxBucketName) {
		return &NameError{"bucket name", name, "must be 1 to 63 characters of a-z, 0-9 and -"}
	}
	return nil
}

// CheckStreamKey accepts 1 to 512 bytes of valid UTF-8 without a zero byte and without U+10FFFF. Anything else in it is
// the caller's own: "/" is data.
func CheckStreamKey(key string) error {
	reason := ""
	switch {
	case key == "":
		reason = "must not be empty"
	case len(key) > MaxStreamKey:
		reason = fmt.Sprintf("is %d bytes long; at most %d are allowed", len(key), MaxStreamKey)
	case !utf8.ValidString(key):
		reason = "must be valid UTF-8"
	case strings.ContainsRune(key, 0), strings.ContainsRune(key, utf8.MaxRune):
		reason = "must not hold the characters U+0000 or U+10FFFF"
	default:
		return nil
	}
	return &NameError{"stream key", key, reason}
}

// CheckStar accepts 1 to 64 of [a-z0-9-].
func CheckStar(id string) error {
	if !plain(id, maxStarID) {
		return &NameError{"star id", id, "must be 1 to 64 characters of a-z, 0-9 and -"}
	}
	return nil
}
