package cli

import (
	"errors"
	"fmt"
)

// The exit codes. What could not be read, written or started is like wrong usage: nothing was found out.
const (
	exitPassed    = 0
	exitFailed    = 1
	exitUsage     = 2
	exitUndecided = 3
)

const exitText = "Exit codes: 0 all checks passed, 1 a check failed, 2 wrong usage or it could not be run, 3 undecided or interrupted.\n"

// Ends that are no pass. What led to the first two has been told.
var (
	errTold        = errors.New("told")
	errFailed      = fmt.Errorf("a check failed: %w", errTold)
	errUndecided   = fmt.Errorf("undecided: %w", errTold)
	errInterrupted = errors.New("interrupted before everything was decided")
)

// usageError is a command line that cannot be run.
type usageError struct{ text, try string }

func (e *usageError) Error() string { return e.text }

func usagef(try, format string, args ...any) error {
	return &usageError{text: plain(fmt.Sprintf(format, args...)), try: plain("try: " + try)}
}

func exitCode(err error) int {
	switch {
	case err == nil:
		return exitPassed
	case errors.Is(err, errFailed):
		return exitFailed
	case errors.Is(err, errUndecided), errors.Is(err, errInterrupted):
		return exitUndecided
	default:
		return exitUsage
	}
}

// besidesError is a failed check, and what could not be written as well.
type besidesError struct{ verdict, err error }

func (e *besidesError) Error() string   { return e.err.Error() }
func (e *besidesError) Unwrap() []error { return []error{e.verdict, e.err} }

// besides is the end of a command that has a verdict and could not write something as well: a failed check stays one; any other
// verdict is worth nothing without what was asked for.
func besides(verdict, err error) error {
	var before *besidesError
	switch {
	case err == nil:
		return verdict
	case errors.As(verdict, &before):
		return &besidesError{before.verdict, errors.Join(before.err, err)}
	case errors.Is(verdict, errFailed):
		return &besidesError{verdict, err}
	default:
		return err
	}
}
