package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/client"
	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/cmd/terminal"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/io/peer"
)

// benching is what a bench command does.
type benching struct {
	bucket    string
	run       string // the first part of the keys of its streams
	mode      peer.Mode
	class     peer.Class
	producers int
	readers   int
	streams   int
	size      int // bytes of a record
	batch     int // records
	underWay  int // batches of a producer
	duration  time.Duration
	keep      bool
	file      string        // for the history
	patience  time.Duration // for the last answers, once the time is up, and for an output that takes nothing
}

func (a *app) benchCommand() *cobra.Command {
	b := &benching{}
	var mode, class string
	c := &cobra.Command{
		Use:   "bench BUCKET",
		Short: "Put a load on a fleet and measure it",
		Long: `Put a load on a fleet: producers append batches to new streams of a bucket for a while, as fast as acknowledgements let them, and
readers follow. Throughput counts acknowledged records; a latency is the time from sending a batch to its acknowledgement.

The streams are deleted in the end, unless --keep is given. A producer whose leader dies goes on with the next one; what became of
its last batches then nobody may know.

With --record, everything that is asked and answered is written to a file, and the streams are read back into it in the end, for novasim
check, novasim replay and novasim convert. A file that is there already is replaced. It is written in place: where nova is killed it
has what came before, and its last line may be cut off. Into /dev/stdout, the numbers are printed on stderr. A file that cannot be
written to any more, or a pipe that takes nothing for 15s or --timeout, ends the load.

An interrupt (Ctrl-C, SIGTERM) ends the load early: what was recorded is written, the streams are read back and deleted as far as that
takes a few seconds, and the numbers so far are printed; the exit code is 1. A second interrupt skips what is left of that.`,
		Example: `  nova bench demo --duration 30s --producers 16
  nova bench load --record-size 100 --batch 10 --class express -o json
  nova bench load --record history.jsonl --readers 2 && novasim check history.jsonl`,
		Args:        arguments("name of the bucket"),
		Annotations: map[string]string{interrupts: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			b.bucket = args[0]
			b.run = "bench-" + time.Now().UTC().Format("20060102-150405.000")
			if b.mode, err = modeOf(mode); err != nil {
				return err
			}
			if b.class, err = classOf(class); err != nil {
				return err
			}
			if err := b.validate(); err != nil {
				return err
			}
			ctx, again := stopSignals(cmd.Context())
			return untilAgain(again, func() error { return a.bench(ctx, again, b) })
		},
	}
	a.streamFlags(c, &mode, &class)
	f := c.Flags()
	f.IntVar(&b.producers, "producers", 8, "producers; of fenced streams at most one each")
	f.IntVar(&b.readers, "readers", 0, "readers that follow the streams in turn and ask for tails")
	f.IntVar(&b.streams, "streams", 4, "streams; producers take them in turn")
	f.IntVar(&b.size, "record-size", 1024, "bytes of a record, at least 16")
	f.IntVar(&b.batch, "batch", 1, "records of a batch")
	f.IntVar(&b.underWay, "in-flight", 16, "batches of a producer that are not yet acknowledged")
	f.DurationVar(&b.duration, "duration", 10*time.Second, "how long to append")
	f.BoolVar(&b.keep, "keep", false, "leave the streams in the bucket")
	f.StringVar(&b.file, "record", "", "write the history of all operations to this file, and replace what it has")
	return c
}

func (b *benching) validate() error {
	limits := leadership.DefaultLimits()
	switch {
	case b.producers < 1 || b.streams < 1 || b.batch < 1 || b.underWay < 1 || b.readers < 0:
		return usagef("see nova bench --help", "there must be at least one producer, stream, record of a batch and batch in flight")
	case b.size < 16 || b.size > 1<<20:
		return usagef("--record-size 1024", "--record-size %d must be from 16 to 1048576", b.size)
	case b.batch > limits.BatchRecords:
		return usagef(fmt.Sprintf("--batch %d", limits.BatchRecords), "--batch %d: a batch has at most %s", b.batch, output.Plural(uint64(limits.BatchRecords), "record"))
	case b.batch*b.size > limits.BatchBytes:
		return usagef(fmt.Sprintf("--batch %d", limits.BatchBytes/b.size), "%d records of %d bytes: a batch has at most %s", b.batch, b.size, output.Bytes(uint64(limits.BatchBytes)))
	case b.duration <= 0:
		return usagef("--duration 10s", "--duration must be above 0")
	case b.mode == peer.ModeFenced && b.producers > b.streams:
		return usagef(fmt.Sprintf("--streams %d", b.producers), "%d producers on %d fenced streams would take them over from each other", b.producers, b.streams)
	case b.file == "-":
		return usagef("--record /dev/stdout, or --record ./- for a file of that name", "--record - is not stdout")
	case strings.Contains(b.bucket, "/"):
		return usagef("nova bench BUCKET", "%q is no bucket: the streams get names of their own", b.bucket)
	}
	return nil
}

// bench runs the load, until ctx ends at the latest, and prints what came of it. It finishes what it has begun even then, for
// a moment, unless it is interrupted again.
func (a *app) bench(ctx context.Context, again <-chan struct{}, b *benching) error {
	b.patience = lastAnswers
	if a.timeout > 0 {
		b.patience = min(lastAnswers, a.timeout)
	}
	printer, fleet, close, err := a.asking(ctx)
	if err != nil {
		return err
	}
	defer close()
	streams, err := a.benchStreams(ctx, fleet, b)
	if err != nil {
		return err
	}
	if !b.keep {
		defer a.benchDelete(ctx, again, fleet, streams)
	}
	history, err := a.begin(ctx, again, b)
	if err != nil {
		return err
	}
	if history != nil && history.inStdout { // the numbers are no part of it
		a.Stdout, a.StdoutTerminal = a.Stderr, a.StderrTerminal
		if printer, err = a.printer(); err != nil {
			return err
		}
	}
	l := &load{benching: b, fleet: fleet, history: history, streams: streams}
	progress := terminal.Follow(a.Stderr, a.StderrTerminal, l.progress)
	loaded := l.run(ctx, again)
	progress.Stop()
	after, cancel := afterwards(ctx, again)
	defer cancel()
	written := a.finish(after, history, fleet)
	if loaded == nil || ctx.Err() != nil { // there are numbers
		if err := printer.One(l.view()); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return l.interrupted()
	}
	if loaded != nil {
		return &taskError{doing: "put a load on bucket " + b.bucket, err: loaded}
	}
	return written
}

// benchStreams creates the streams of the run.
func (a *app) benchStreams(ctx context.Context, fleet *client.Fleet, b *benching) ([]peer.StreamName, error) {
	ctx, cancel := a.answer(ctx)
	defer cancel()
	var names []peer.StreamName
	for i := range b.streams {
		name := peer.StreamName{Bucket: b.bucket, Key: fmt.Sprintf("%s/%d", b.run, i+1)}
		_, err := fleet.CreateStream(ctx, peer.CreateStreamRequest{Stream: name, Mode: b.mode, Class: b.class})
		if err != nil && !peer.Is(err, peer.AlreadyExists) { // an answer was lost: the name is new
			task := &taskError{doing: "create stream " + name.String(), err: err}
			if peer.Is(err, peer.NotFound) {
				task.try = "nova bucket create " + b.bucket
			}
			return nil, task
		}
		names = append(names, name)
	}
	return names, nil
}

// benchDelete deletes the streams of the run, until no answer comes.
func (a *app) benchDelete(ctx context.Context, again <-chan struct{}, fleet peer.Star, names []peer.StreamName) {
	ctx, cancel := afterwards(ctx, again)
	defer cancel()
	for i, name := range names {
		one, cancel := a.answer(ctx)
		err := fleet.DeleteStream(one, name)
		late := one.Err() != nil
		cancel()
		if err != nil && late {
			a.say("%s left behind, from %s on: %v", output.Plural(uint64(len(names)-i), "stream"), name, err)
			return
		}
		if err != nil {
			a.say("stream %s was left behind: %v", name, err)
		}
	}
}
