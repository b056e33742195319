package metrics

import (
	"context"
	"errors"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/meta"
)

// metaOutcome names what became of a call to the metastore.
func metaOutcome(err error) string {
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, meta.ErrNotFound):
		return "not_found"
	case errors.Is(err, meta.ErrConflict):
		return "conflict"
	case errors.Is(err, meta.ErrSessionExpired):
		return "session_expired"
	case errors.Is(err, meta.ErrUnknown):
		return "unknown"
	case errors.Is(err, meta.ErrUnavailable):
		return "unavailable"
	case errors.Is(err, meta.ErrInvalid):
		return "invalid"
	default:
		return endOf(err)
	}
}

// blobOutcome names what became of a call to a store.
func blobOutcome(err error) string {
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, blob.ErrNotFound):
		return "not_found"
	case errors.Is(err, blob.ErrUnknown):
		return "unknown"
	case errors.Is(err, blob.ErrUnavailable):
		return "unavailable"
	case errors.Is(err, blob.ErrRange), errors.Is(err, blob.ErrInvalid):
		return "invalid"
	default:
		return endOf(err)
	}
}

// endOf tells a caller that gave up from an error that no contract knows.
func endOf(err error) string {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return "given_up"
	}
	return "failed"
}
