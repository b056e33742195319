package oxiameta

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/io/meta"
)

// errors of this package's own.
var (
	// errGone says that the shard is in the assignments no more: its keys are elsewhere.
	errGone = errors.New("the shard has been split or removed")
	// errClosed says that the client is closed.
	errClosed = errors.New("the client is closed")
	// errTimeout is the cause where the request time-out ended a call.
	errTimeout = errors.New("no answer within the request time-out")
	// errSilent is the cause where a server took a call and did not answer it in time.
	errSilent = errors.New("no answer")
	// errSession is the server's word that it does not know the session of a put.
	errSession = errors.New("the server does not know the session")
	// errNoServer says that nobody is known to ask.
	errNoServer = errors.New("no server to ask")
)

// unavailable is a call that did not reach the store, with its cause.
func unavailable(cause error) error { return fmt.Errorf("%w: %w", meta.ErrUnavailable, cause) }

// unknown is a write that may have happened, with what went wrong.
func unknown(cause error) error { return fmt.Errorf("%w: %w", meta.ErrUnknown, cause) }

// readEnded is the outcome of a read that was given up: the context's own error where the caller's context ended.
func readEnded(caller context.Context, cause error) error {
	if err := caller.Err(); err != nil {
		return err
	}
	return unavailable(cause)
}
