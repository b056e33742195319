package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/io/peer"
)

// maxUnderWay bounds the batches sent and not acknowledged.
const maxUnderWay = 1024

type appending struct {
	name  peer.StreamName
	token uint64
	match *uint64 // the tail that the first record must find

	session peer.Session
	started time.Time
	records atomic.Uint64 // acknowledged
	bytes   atomic.Uint64
	first   uint64
	next    atomic.Uint64
}

func (a *app) appendCommand() *cobra.Command {
	var file string
	var match, token uint64
	c := &cobra.Command{
		Use:   "append BUCKET/KEY [RECORD...]",
		Short: "Append records: the arguments, or lines of stdin or of a file",
		Long: `Append records to a stream, a line a record, without its newline. Lines are sent as they come, many at once, and the
command ends when all are acknowledged: durable, and in order.

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
			lines, close, err := a.source(cmd.Context(), args[1:], file)
			if err != nil {
				return err
			}
			defer close()
			run := &appending{name: name, token: token}
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
	return readLines(ctx, f), func() { _ = f.Close() }, nil
}

// append sends lines until they end, or ctx does, and waits for what was sent.
func (a *app) append(ctx context.Context, run *appending, lines <-chan line) error {
	printer, err := a.printer()
	if err != nil {
		return err
	}
	fleet, close, err := a.connect(ctx)
	if err != nil {
		return err
	}
	defer close()
	calls, cancel := context.WithCancel(context.WithoutCancel(ctx)) // what was sent is waited for even after a signal
	defer cancel()
	if err := a.open(calls, fleet, run); err != nil {
		return a.refused(run, err)
	}
	run.started = time.Now()
	progress := output.Start(a.Stderr, a.StderrTerminal, run.progress)
	sent := make(chan sentBatch, maxUnderWay)
	sending := make(chan error, 1)
	go func() { sending <- run.send(ctx, calls, lines, sent) }()
	err = a.acknowledge(calls, run, sent)
	cancelled := err != nil
	if cancelled {
		cancel()
	}
	if sendErr := <-sending; !cancelled {
		err = sendErr
	}
	progress.Stop()
	if err != nil {
		return a.refused(run, err)
	}
	ctx, done := a.answer(calls)
	defer done()
	_ = run.session.Close(ctx) // everything is acknowledged: how the handle goes changes nothing
	return printer.One(run.view())
}

func (a *app) open(ctx context.Context, fleet peer.Star, run *appending) (err error) {
	ctx, cancel := a.answer(ctx)
	defer cancel()
	run.session, err = fleet.OpenSession(ctx, peer.OpenRequest{Stream: run.name, Create: true, Token: run.token})
	return err
}

// acknowledge takes the answers to what was sent.
func (a *app) acknowledge(ctx context.Context, run *appending, sent <-chan sentBatch) error {
	for batch := range sent {
		ack, err := a.answered(ctx, run.session)
		if err == nil && ack.Err != nil {
			err = ack.Err
		}
		if err != nil {
			return atLine(batch.line, err)
		}
		if run.records.Load() == 0 {
			run.first = ack.First
		}
		run.records.Add(batch.records)
		run.bytes.Add(batch.bytes)
		run.next.Store(ack.Next)
	}
	return nil
}

func (a *app) answered(ctx context.Context, session peer.Session) (peer.Ack, error) {
	ctx, cancel := a.answer(ctx)
	defer cancel()
	return session.Recv(ctx)
}

// refused says what of an append failed, and what is acknowledged all the same.
func (a *app) refused(run *appending, err error) error {
	if n := run.records.Load(); n > 0 {
		a.say("%s acknowledged before that, seq %d to %d", output.Plural(n, "record")+" "+verb(n), run.first, run.next.Load()-1)
	}
	try := ""
	if peer.Is(err, peer.NotFound) {
		try = "nova stream create " + run.name.String()
	}
	var usage *usageError
	if errors.As(err, &usage) {
		return err
	}
	return &taskError{doing: "append to " + run.name.String(), try: try, err: err}
}

func verb(n uint64) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func (run *appending) progress() string {
	seconds := time.Since(run.started).Seconds()
	return fmt.Sprintf("%s acknowledged, %s, %s/s", output.Plural(run.records.Load(), "record"), output.Bytes(run.bytes.Load()),
		output.Bytes(uint64(float64(run.bytes.Load())/seconds)))
}

func (run *appending) view() appendedView {
	v := appendedView{
		Stream: run.name.String(), First: run.first, Next: run.next.Load(), Records: run.records.Load(), Bytes: run.bytes.Load(),
		Seconds: float64(time.Since(run.started).Milliseconds()) / 1000,
	}
	if v.Records == 0 {
		v.First, v.Next = run.session.Opened().Next, run.session.Opened().Next
	}
	return v
}
