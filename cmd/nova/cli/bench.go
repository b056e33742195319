package cli

import (
	"context"
	"fmt"
	"os"
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
	file      string // for the history
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
its last batches then nobody may know. With --record, everything that is asked and answered is written to a file, and read back in the
end, for novasim check, novasim replay and novasim convert.`,
		Example: `  nova bench demo --duration 30s --producers 16
  nova bench load --record-size 100 --batch 10 --class express -o json
  nova bench load --record history.jsonl --readers 2 && novasim check history.jsonl`,
		Args: arguments("name of the bucket"),
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
			return a.bench(cmd.Context(), b)
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
	f.StringVar(&b.file, "record", "", "write the history of all operations to this file")
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
	case strings.Contains(b.bucket, "/"):
		return usagef("nova bench BUCKET", "%q is no bucket: the streams get names of their own", b.bucket)
	}
	return nil
}

// bench runs the load and prints what came of it.
func (a *app) bench(ctx context.Context, b *benching) error {
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
		defer a.benchDelete(context.WithoutCancel(ctx), fleet, streams)
	}
	recorder, done, err := b.recorder()
	if err != nil {
		return err
	}
	l := &load{benching: b, fleet: fleet, recorder: recorder, streams: streams}
	progress := terminal.Follow(a.Stderr, a.StderrTerminal, l.progress)
	err = l.run(ctx)
	progress.Stop()
	if err != nil {
		return &taskError{doing: "put a load on bucket " + b.bucket, err: err}
	}
	if err := a.benchFinish(context.WithoutCancel(ctx), fleet, recorder, done); err != nil {
		return &taskError{doing: "write the history", err: err}
	}
	return printer.One(l.view())
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

func (a *app) benchDelete(ctx context.Context, fleet *client.Fleet, names []peer.StreamName) {
	for _, name := range names {
		one, cancel := a.answer(ctx)
		if err := fleet.DeleteStream(one, name); err != nil {
			a.say("stream %s was left behind: %v", name, err)
		}
		cancel()
	}
}

// recorder begins the history, where one is wanted.
func (b *benching) recorder() (*client.Recorder, func() error, error) {
	if b.file == "" {
		return nil, func() error { return nil }, nil
	}
	file, err := os.Create(b.file)
	if err != nil {
		return nil, nil, usagef("--record with the path of a file to write", "cannot write --record: %v", err)
	}
	recorder, err := client.NewRecorder(file, "nova bench "+b.bucket)
	return recorder, file.Close, err
}

// benchFinish reads the streams back into the history and closes its file.
func (a *app) benchFinish(ctx context.Context, fleet *client.Fleet, recorder *client.Recorder, done func() error) error {
	if recorder == nil {
		return nil
	}
	ctx, cancel := a.answerWithin(ctx, time.Minute)
	defer cancel()
	err := recorder.Finish(ctx, fleet)
	if err2 := done(); err == nil {
		err = err2
	}
	return err
}
