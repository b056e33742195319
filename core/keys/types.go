package keys

import (
	"fmt"
	"strconv"
)

// Types of what keys are made of. They do not mix.
type (
	// StarID is the identity of a star, bound to its data directory: 1 to 64 of [a-z0-9-].
	StarID string
	// BootID is the random identity of one process life of a star. "Mine" means my BootID, never my StarID.
	BootID string
	// StreamID is the immutable id of a stream, never reused: 26 of [a-z2-7].
	StreamID string
	// StoreID is the identity of one store, written in its marker.
	StoreID string
	// Seq numbers the records of a stream from 0 without gaps.
	Seq uint64
	// StreamEpoch numbers the leaderships of a stream from 1; 0 is before the first.
	StreamEpoch uint64
	// Epoch numbers the chain epochs of a star from 1, unique over its classes; 0 is none.
	Epoch uint64
	// Slot is a position in a chain epoch, from 0.
	Slot uint64
)

const digits = 20

func pad(n uint64) string { return string(appendPadded(make([]byte, 0, digits), n)) }

// appendPadded appends n with leading zeros.
func appendPadded(dst []byte, n uint64) []byte {
	const zeros = "00000000000000000000"
	dst = append(dst, zeros...)
	for at := len(dst); n > 0; n /= 10 {
		at--
		dst[at] = byte('0' + n%10)
	}
	return dst
}

func unpad(s string) (uint64, error) {
	if len(s) != digits {
		return 0, fmt.Errorf("keys: %q is not a number of %d digits", s, digits)
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("keys: %q is not a number", s)
	}
	return n, nil
}

// plain says whether s is 1 to most bytes of [a-z0-9-].
func plain(s string, most int) bool {
	if s == "" || len(s) > most {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}
