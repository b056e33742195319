package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/io/peer"
)

// refused says what of an append failed, what is acknowledged all the same, and what may be in the stream without having
// been acknowledged: to repeat the command would append those lines twice.
func (a *app) refused(ctx context.Context, fleet peer.Star, run *appending, err error) error {
	n := run.records.Load()
	if n > 0 {
		a.say("acknowledged before that: %s, seq %d to %d", output.Plural(n, "record"), run.first, run.next.Load()-1)
	}
	var usage *usageError
	if errors.As(err, &usage) {
		return err
	}
	err = a.missing(ctx, fleet, run.name, err)
	task := &taskError{doing: "append to " + run.name.String(), err: err}
	sent := run.unanswered()
	switch {
	case peer.Is(err, peer.NotFound):
		task.try = streamMissing(run.name, err)
	case sent > 0 && unknown(err):
		a.say("not acknowledged: %s from line %d on; they may be in the stream, now or later", output.Plural(sent, "line"), n+1)
		task.try = run.goOn(n + 1)
	case n == 0 && sent == 0 && isTimeout(err):
		task.try = "the same command again: nothing was sent"
	case n > 0 && (unknown(err) || resendable(err)):
		task.try = fmt.Sprintf("the rest alone, from line %d on: the lines before it are in the stream", n+1)
	}
	return task
}

// unknown says whether what was sent may be in the stream after such an error.
func unknown(err error) bool {
	return isTimeout(err) || errors.Is(err, context.Canceled) || peer.Is(err, peer.Indeterminate)
}

// unanswered counts the lines that were sent and not acknowledged.
func (run *appending) unanswered() (lines uint64) {
	run.mu.Lock()
	defer run.mu.Unlock()
	for _, b := range run.pending {
		lines += uint64(len(b.batch.Records))
	}
	return lines
}

// goOn is what to do instead of the same command again.
func (run *appending) goOn(line uint64) string {
	from := ""
	if run.id != "" {
		from = fmt.Sprintf(" --from %d", run.next.Load())
	}
	return fmt.Sprintf("nova read %s%s, to see which lines from line %d on are there; then append from the first that is not, with --match-seq "+
		"and the tail that nova tail %s says", run.name, from, line, run.name)
}

// unprinted is an append that succeeded, and could not say so.
func (run *appending) unprinted(err error) error {
	n := run.records.Load()
	if n == 0 {
		return err
	}
	return &taskError{
		doing: fmt.Sprintf("print the result: %s appended to %s, seq %d to %d, all are in the stream", output.Plural(n, "record"), run.name,
			run.first, run.next.Load()-1),
		try: "do not append them again; a standard output that can be written to", err: err,
	}
}
