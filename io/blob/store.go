package blob

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// The outcomes of a call that did not succeed.
var (
	// ErrNotFound says that no such object exists.
	ErrNotFound = errors.New("blob: not found")
	// ErrUnavailable says that the store could not be asked, or refused. A write had no effect.
	ErrUnavailable = errors.New("blob: unavailable")
	// ErrUnknown says that a write may have happened, may not have, or may still happen.
	ErrUnknown = errors.New("blob: outcome unknown")
	// ErrRange says that a range begins past the end of the object.
	ErrRange = errors.New("blob: range not satisfiable")
	// ErrInvalid says that a key or an argument breaks the contract.
	ErrInvalid = errors.New("blob: invalid argument")
)

// Outcome is what became of a PutIfAbsent.
type Outcome uint8

// The three outcomes. Unknown is the zero value: what was never answered is unknown.
const (
	Unknown Outcome = iota // it did or did not happen, or still may; the error says why
	Created                // this call created the object; it is durable
	Exists                 // an object was there already; whose is for the caller to find out
)

func (o Outcome) String() string { return [...]string{"unknown", "created", "exists"}[o] }

// Range is a part of an object. The zero value is the whole.
type Range struct {
	offset, length int64
	kind           rangeKind
}

type rangeKind uint8

const (
	rangeAll rangeKind = iota
	rangeSpan
	rangeSuffix
)

// All is the whole object.
func All() Range { return Range{} }

// Span is length bytes from offset; an object that ends sooner gives what it has.
func Span(offset, length int64) Range { return Range{offset, length, rangeSpan} }

// Suffix is the last length bytes, or the whole object where it is shorter.
func Suffix(length int64) Range { return Range{0, length, rangeSuffix} }

// Within turns the range into offset and length inside an object of size bytes. ErrRange where it begins past the end.
func (r Range) Within(size int64) (offset, length int64, err error) {
	switch r.kind {
	case rangeSpan:
		if r.offset < 0 || r.length <= 0 || r.offset >= size {
			return 0, 0, ErrRange
		}
		return r.offset, min(r.length, size-r.offset), nil
	case rangeSuffix:
		n := min(max(r.length, 0), size)
		return size - n, n, nil
	default:
		return 0, size, nil
	}
}

// Header is the range as an HTTP Range header has it; empty for the whole. ok is false where no header can say it: a range of
// nothing.
func (r Range) Header() (header string, ok bool) {
	switch r.kind {
	case rangeSpan:
		last := r.offset + min(r.length, math.MaxInt64-r.offset) - 1
		return fmt.Sprintf("bytes=%d-%d", r.offset, last), r.offset >= 0 && r.length > 0
	case rangeSuffix:
		return fmt.Sprintf("bytes=-%d", r.length), r.length > 0
	default:
		return "", true
	}
}

// Info describes an object without its bytes.
type Info struct {
	Key       string
	SizeBytes int64
	Modified  time.Time // the store's clock
}

// Store is one object store. Keys are non-empty, at most 1,024 bytes, segments of [A-Za-z0-9._~-] joined by "/", none of
// them "." or "..": CheckKey.
//
// Errors: those above, and the context's error for reads whose context ends (a write whose context ends is unknown).
type Store interface {
	// PutIfAbsent creates the object unless one is there. The error is non-nil exactly when the outcome is Unknown.
	// The store does not keep data after it returned.
	PutIfAbsent(ctx context.Context, key string, data []byte) (Outcome, error)
	// Put creates or replaces the object. ErrUnavailable, ErrUnknown.
	Put(ctx context.Context, key string, data []byte) error
	// Get reads a range of the object. ErrNotFound, ErrRange, ErrUnavailable. The bytes are the caller's own to read,
	// not to change.
	Get(ctx context.Context, key string, r Range) ([]byte, error)
	// Head describes the object. ErrNotFound.
	Head(ctx context.Context, key string) (Info, error)
	// List describes up to limit objects whose key starts with prefix and lies above after, in key order.
	List(ctx context.Context, prefix, after string, limit int) ([]Info, error)
	// Delete removes objects; absent ones are no error. ErrUnknown where it cannot tell what was removed.
	Delete(ctx context.Context, keys ...string) error
}
