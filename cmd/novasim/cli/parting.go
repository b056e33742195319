package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
)

// maxEvent is the longest line of a trace.
const maxEvent = 1 << 20

// firstDifference compares two traces and tells the first line at which they part.
func firstDifference(file, otherFile, name, otherName string) (string, error) {
	a, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer func() { _ = a.Close() }() // it was only read
	b, err := os.Open(otherFile)
	if err != nil {
		return "", err
	}
	defer func() { _ = b.Close() }() // it was only read
	one, other := bufio.NewScanner(a), bufio.NewScanner(b)
	one.Buffer(nil, maxEvent)
	other.Buffer(nil, maxEvent)
	before := "the start"
	for number := 1; ; number++ {
		more, otherMore := one.Scan(), other.Scan()
		if err := errors.Join(one.Err(), other.Err()); err != nil {
			return "", fmt.Errorf("compare traces: %w", err)
		}
		if !more && !otherMore {
			return "all events of the two runs agree: they part in the order of tasks alone, or only without a trace", nil
		}
		if more != otherMore || one.Text() != other.Text() {
			return fmt.Sprintf("they part at event %d, after: %s\n  %s: %s\n  %s: %s",
				number, before, name, eventOr(more, one.Text()), otherName, eventOr(otherMore, other.Text())), nil
		}
		before = one.Text()
	}
}

func eventOr(there bool, line string) string {
	if !there {
		return "no event any more"
	}
	return line
}

// joined puts arguments behind a command.
func joined(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return " " + strings.Join(args, " ")
}

// inParallel does several things at once and gives the first error in their order.
func inParallel(n int, do func(i int) error) error {
	errs := make([]chan error, n)
	for i := range errs {
		errs[i] = make(chan error, 1)
		go func() { errs[i] <- do(i) }()
	}
	var all error
	for _, e := range errs {
		all = errors.Join(all, <-e)
	}
	return all
}
