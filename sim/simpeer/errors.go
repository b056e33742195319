package simpeer

import (
	"context"
	"errors"

	"github.com/novastream/nova/io/peer"
)

// failure is what a caller makes of a call that got no answer. left says whether the request may have left.
func (c *conn) failure(left bool, reason string, cause error) *peer.Error {
	code := peer.Unavailable
	if left {
		code = peer.Indeterminate
	}
	return &peer.Error{Code: code, What: "star at " + c.addr, Reason: reason, Err: cause}
}

// travelled is a star's error as it arrives at the caller.
func travelled(err error) *peer.Error {
	if err == nil {
		return nil
	}
	var e *peer.Error
	if errors.As(err, &e) {
		sent := *e
		sent.Err = nil
		return &sent
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &peer.Error{Code: peer.Indeterminate, Reason: err.Error()}
	}
	return &peer.Error{Code: peer.Internal, Reason: err.Error()}
}

// textOf is an error for the trace.
func textOf(e *peer.Error) string {
	if e == nil {
		return "none"
	}
	return e.Error()
}
