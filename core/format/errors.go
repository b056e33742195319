package format

import (
	"errors"
	"fmt"

	"github.com/novastream/nova/core/keys"
)

// ErrPoison says that a footer was asked of a slot that holds valid poison: this copy has no windows.
var ErrPoison = errors.New("format: the slot holds poison")

// Part is what the offset of a CorruptError counts in.
type Part string

// The parts.
const (
	PartObject Part = "object" // the whole stored object
	PartWindow Part = "window" // one window, decompressed
)

// CorruptError says that bytes read from a store are not what was written there. Another copy may be intact.
type CorruptError struct {
	Key       string // the object's
	Part      Part
	Offset    int64 // within the part; negative counts from its end
	Want, Got string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("format: %s is corrupt at byte %d of the %s: expected %s, got %s", e.Key, e.Offset, e.Part, e.Want, e.Got)
}

// VersionError says that an object is intact and was written by a newer release.
type VersionError struct {
	Key       string
	Version   uint16
	Supported uint16 // the newest that this release reads
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("format: %s has format version %d, this release reads versions up to %d: upgrade this star",
		e.Key, e.Version, e.Supported)
}

// EncodeError says that a flight cannot be written because of one of its windows, or, with an empty Stream, of its header.
type EncodeError struct {
	Stream keys.StreamID
	Reason string
}

func (e *EncodeError) Error() string {
	if e.Stream == "" {
		return "format: cannot encode the flight: " + e.Reason
	}
	return fmt.Sprintf("format: cannot encode the window of stream %s: %s", e.Stream, e.Reason)
}
