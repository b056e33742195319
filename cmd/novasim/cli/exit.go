package cli

import (
	"errors"
	"fmt"
)

// The exit codes.
const (
	exitPassed    = 0
	exitFailed    = 1
	exitUsage     = 2
	exitUndecided = 3
)

const exitText = "Exit codes: 0 all checks passed, 1 a check failed, 2 wrong usage, 3 undecided or interrupted.\n"

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
	return &usageError{text: fmt.Sprintf(format, args...), try: "try: " + try}
}

func exitCode(err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return exitPassed
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, errUndecided), errors.Is(err, errInterrupted):
		return exitUndecided
	default:
		return exitFailed
	}
}
