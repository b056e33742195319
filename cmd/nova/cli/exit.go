package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/oxiameta"
	"github.com/novastream/nova/realio/s3blob"
)

// The exit codes.
const (
	exitDone      = 0
	exitFailed    = 1
	exitUsage     = 2   // a wrong flag, argument or name
	exitNotFound  = 3   // no such bucket, stream or record; of what a star stands on, no such namespace or bucket
	exitCondition = 4   // what the command demanded does not hold: the tail is another, a newer producer has the stream, the name is taken
	exitLater     = 5   // throttled or unavailable: the same command may succeed later
	exitTimeout   = 124 // no answer within --timeout
)

// usageError is a command line that cannot be run.
type usageError struct{ text, try string }

func (e *usageError) Error() string { return e.text }

func usagef(try, format string, args ...any) error {
	return &usageError{text: fmt.Sprintf(format, args...), try: try}
}

// stoppedError says that an interrupt ended a command early, after a part of its work.
type stoppedError struct{ text, try string }

func (e *stoppedError) Error() string { return e.text }

// taskError says what a command was doing when err stopped it, and what to try.
type taskError struct {
	doing string // "create bucket logs"
	try   string // may be empty: the error's own advice, or one by its kind
	err   error
}

func (e *taskError) Error() string { return e.doing + ": " + e.err.Error() }
func (e *taskError) Unwrap() error { return e.err }

func exitCode(err error) int {
	var usage *usageError
	var call *peer.Error
	var oxia *oxiameta.OpenError
	var bucket *s3blob.OpenError
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case isTimeout(err):
		return exitTimeout
	case errors.As(err, &oxia):
		return oxiaCode(oxia)
	case errors.As(err, &bucket):
		return bucketCode(bucket)
	case errors.As(err, &call):
		return callCode(call)
	default:
		return exitFailed
	}
}

// callCode is the code of a call to a star.
func callCode(call *peer.Error) int {
	switch call.Code {
	case peer.Invalid, peer.TooLarge:
		return exitUsage
	case peer.NotFound, peer.Trimmed:
		return exitNotFound
	case peer.MatchFailed, peer.Fenced, peer.AlreadyExists:
		return exitCondition
	case peer.NotOwner, peer.AtCapacity, peer.Shed, peer.Retry, peer.NotAppended, peer.Unavailable:
		return exitLater
	default:
		return exitFailed
	}
}

// oxiaCode tells a wrong command line from an Oxia that is not fit, and that from one that may be later.
func oxiaCode(e *oxiameta.OpenError) int {
	switch {
	case e.Temporary():
		return exitLater
	case e.Reason == oxiameta.NoNamespace:
		return exitNotFound
	case e.Reason == oxiameta.WrongOrder, e.Reason == oxiameta.WrongName:
		return exitUsage
	default:
		return exitFailed
	}
}

// bucketCode is the same of a store on S3.
func bucketCode(e *s3blob.OpenError) int {
	switch {
	case e.Temporary():
		return exitLater
	case e.Kind == s3blob.NoBucket:
		return exitNotFound
	case e.Kind == s3blob.Misconfigured:
		return exitUsage
	default:
		return exitFailed
	}
}

// isTimeout says whether --timeout ended the command: no other deadline is in play, but for that of an Oxia that is opened.
func isTimeout(err error) bool {
	var oxia *oxiameta.OpenError
	return errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &oxia)
}
