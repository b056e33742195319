package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/cmd/terminal"
	"github.com/novastream/nova/io/peer"
)

// appending is one append command.
type appending struct {
	name  peer.StreamName
	token uint64
	match *uint64 // the tail that the first record must find
	id    string  // of the stream, once it was opened

	started time.Time
	records atomic.Uint64 // acknowledged
	bytes   atomic.Uint64
	first   uint64 // of them
	next    atomic.Uint64
	number  int   // of the next line
	ended   error // why there are no more lines: io.EOF at their end

	mu      sync.Mutex
	pending []sentBatch // sent or to be sent again, and not acknowledged, in order
}

func (a *app) appendCommand() *cobra.Command {
	var file string
	var match, token uint64
	c := &cobra.Command{
		Use:   "append BUCKET/KEY [RECORD...]",
		Short: "Append records: the arguments, or lines of stdin or of a file",
		Long: `Append records to a stream, a line a record, without its newline. Lines are sent as they come, many at once, and the
command ends when all are acknowledged: durable, and in order. Where the stream's leader changes in between, lines known
not to be appended are sent again; where nobody knows, the command fails and says from which line on.

A stream that does not exist is created only where its bucket says so (nova bucket create --create-on-open).`,
		Example: `  tail -f app.log | nova append logs/app
  nova append logs/app --file access.log
  nova append logs/app "one record" "another" --match-seq 42`,
		ValidArgsFunction: a.completeStream,
		Args:              atLeast("name of the stream"),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, err := streamName(args[0])
			if err != nil {
				return err
			}
			if token == math.MaxUint64 {
				return usagef("--token with a lower one", "--token %d is the last one there is: no producer could ever follow", token)
			}
			lines, close, err := a.source(cmd.Context(), args[1:], file)
			if err != nil {
				return err
			}
			defer close()
			run := &appending{name: name, token: token, number: 1}
			if cmd.Flags().Changed("match-seq") {
				run.match = &match
			}
			return a.append(cmd.Context(), run, lines)
		},
	}
	c.Flags().StringVar(&file, "file", "", "read lines from this file instead of stdin")
	c.Flags().Uint64Var(&match, "match-seq", 0, "append only if the stream's tail is exactly this")
	c.Flags().Uint64Var(&token, "token", 0, "fenced streams: the fencing token (default: the next one)")
	return c
}

// source is where the records come from.
func (a *app) source(ctx context.Context, records []string, file string) (lines <-chan line, close func(), err error) {
	switch {
	case len(records) > 0 && file != "":
		return nil, nil, usagef("one of them", "records as arguments and --file cannot be given together")
	case len(records) > 0:
		return given(records), func() {}, nil
	case file == "" || file == "-":
		if a.StdinTerminal {
			a.say("a line a record; end with ctrl-D")
		}
		return readLines(ctx, a.Stdin), func() {}, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, usagef("--file with the path of a text file", "cannot read --file: %v", err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, nil, errors.Join(usagef("--file with the path of a text file", "cannot read --file: %s is a directory", file), f.Close())
	}
	return readLines(ctx, f), func() { _ = f.Close() }, nil
}

// append sends lines until they end, or ctx does, and waits for what was sent.
func (a *app) append(ctx context.Context, run *appending, lines <-chan line) error {
	printer, fleet, close, err := a.asking(ctx)
	if err != nil {
		return err
	}
	defer close()
	run.started = time.Now()
	progress := terminal.Follow(a.Stderr, a.StderrTerminal, run.progress)
	err = a.legs(ctx, fleet, run, lines)
	progress.Stop()
	if err != nil {
		return a.refused(ctx, fleet, run, err)
	}
	if err := printer.One(run.view()); err != nil {
		return run.unprinted(err)
	}
	return nil
}

func (run *appending) progress() string {
	seconds := time.Since(run.started).Seconds()
	return fmt.Sprintf("%s acknowledged, %s, %s/s", output.Plural(run.records.Load(), "record"), output.Bytes(run.bytes.Load()),
		output.Bytes(uint64(float64(run.bytes.Load())/seconds)))
}

func (run *appending) view() appendedView {
	return appendedView{
		Stream: run.name.String(), First: run.first, Next: run.next.Load(), Records: run.records.Load(), Bytes: run.bytes.Load(),
		Seconds: float64(time.Since(run.started).Milliseconds()) / 1000,
	}
}
