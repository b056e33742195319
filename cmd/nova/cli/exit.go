package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/io/peer"
)

// The exit codes.
const (
	exitDone      = 0
	exitFailed    = 1
	exitUsage     = 2   // a wrong flag, argument or name
	exitNotFound  = 3   // no such bucket, stream or record
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
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case isTimeout(err):
		return exitTimeout
	case !errors.As(err, &call):
		return exitFailed
	}
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

// isTimeout says whether --timeout ended the command: no other deadline is in play.
func isTimeout(err error) bool { return errors.Is(err, context.DeadlineExceeded) }
