package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"
)

// errTakesNothing says that an output stalled: a pipe that nobody reads, a disk that hangs.
var errTakesNothing = errors.New("it takes nothing any more")

// benchOutput is the file of a history. No write waits without end for it: not longer than patience, nor beyond what is left of
// a bench that was interrupted.
type benchOutput struct {
	file     *os.File
	patience time.Duration
	left     func() (context.Context, context.CancelFunc) // what is left of the bench
}

// outputPart is the most that is written at once, within patience.
const outputPart = 1 << 18

// Write writes, or gives up. After that it is not to be called again: the write that stalled may still go on.
func (o *benchOutput) Write(p []byte) (int, error) {
	for part := range slices.Chunk(p, outputPart) {
		if err := o.write(part); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

func (o *benchOutput) write(p []byte) error {
	left, cancel := o.left()
	defer cancel()
	left, enough := context.WithTimeout(left, o.patience)
	defer enough()
	written, text := make(chan error, 1), bytes.Clone(p)
	go func() {
		_, err := o.file.Write(text)
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-left.Done():
		return &fs.PathError{Op: "write", Path: o.file.Name(), Err: errTakesNothing}
	}
}

// openOutput opens a file to write alone, and replaces what it had. Opened to read as well, a pipe would have a reader for ever:
// this process. It waits until ctx ends for a named pipe that nobody reads yet.
func openOutput(ctx context.Context, path string) (*os.File, error) {
	var file *os.File
	opened := make(chan error, 1)
	go func() {
		var err error
		file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
		opened <- err
	}()
	select {
	case err := <-opened:
		if err != nil {
			return nil, usagef("--record with the path of a file to write", "cannot write --record: %v", err)
		}
		return file, nil
	case <-ctx.Done():
		return nil, &taskError{doing: "open --record " + path, try: "a reader of it beside this command, where it is a named pipe", err: ctx.Err()}
	}
}

// isStdout says whether a file is what stdout writes to.
func (a *app) isStdout(file *os.File) bool {
	stdout, ok := a.Stdout.(*os.File)
	if !ok {
		return false
	}
	one, errOne := file.Stat()
	other, errOther := stdout.Stat()
	return errOne == nil && errOther == nil && os.SameFile(one, other)
}

// skipBudget is how long what is left of a command may take after the second interrupt.
const skipBudget = 500 * time.Millisecond

// untilAgain runs a command that ends by itself at the second interrupt, and leaves it behind where an output that stalls keeps
// it from that.
func untilAgain(again <-chan struct{}, run func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- run() }()
	select {
	case err := <-ended:
		return err
	case <-again:
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(skipBudget):
		return &stoppedError{text: "interrupted twice: what was left was skipped", try: "an output that takes what it is given"}
	}
}
