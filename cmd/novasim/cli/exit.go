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

// besides is the end of a command that has a verdict and could not write something as well: a failed check stays one, and the
// error is told; any other verdict is worth nothing without what was asked for.
func (e Env) besides(verdict, err error) error {
	if err == nil {
		return verdict
	}
	if errors.Is(verdict, errFailed) {
		fmt.Fprintf(e.Stderr, "novasim: %s\n", plainLines(err.Error()))
		return verdict
	}
	return err
}
