package cli

import (
	"context"
	"encoding/base64"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/novastream/nova/cmd/nova/output"
	"github.com/novastream/nova/io/peer"
)

// followWait is how long one fetch of a following read waits at the tail.
const followWait = 5 * time.Second

type reading struct {
	name   peer.StreamName
	from   uint64
	limit  uint64 // 0: none
	follow bool
}

func (a *app) readCommand() *cobra.Command {
	var r reading
	c := &cobra.Command{
		Use:   "read BUCKET/KEY",
		Short: "Read records, up to the tail or on and on",
		Long: `Read records in order. The read ends at the tail, which reflects every append acknowledged before it was reached; with
--follow it waits there for more.

On a terminal a table shows seq, time and body; elsewhere bodies are written as they are, one a line (-o raw).`,
		Example: `  nova read logs/app
  nova read logs/app --from 42 --limit 10 -o json
  nova read logs/app --follow | grep error`,
		Args:              arguments("name of the stream"),
		ValidArgsFunction: a.completeStream,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if r.name, err = streamName(args[0]); err != nil {
				return err
			}
			return a.read(cmd.Context(), r)
		},
	}
	c.Flags().Uint64Var(&r.from, "from", 0, "seq of the first record")
	c.Flags().Uint64Var(&r.limit, "limit", 0, "end after this many records (default: no limit)")
	c.Flags().BoolVarP(&r.follow, "follow", "f", false, "wait for more at the tail")
	return c
}

func (a *app) read(ctx context.Context, r reading) error {
	if a.format == "" && !a.StdoutTerminal {
		a.format = string(output.Raw)
	}
	printer, fleet, close, err := a.asking(ctx, string(output.Raw))
	if err != nil {
		return err
	}
	defer close()
	for next, left := r.from, r.limit; ; {
		reply, err := a.fetch(ctx, fleet, r, next, left)
		if err != nil && r.follow && errors.Is(ctx.Err(), context.Canceled) {
			return printer.End() // whoever follows ends it with a signal
		}
		if err != nil {
			return &taskError{doing: "read " + r.name.String(), err: a.absent(ctx, fleet, r.name, err)}
		}
		if err := show(printer, reply.Records); err != nil {
			return err
		}
		next, left = reply.Next, left-min(left, uint64(len(reply.Records)))
		if r.limit > 0 && left == 0 || reply.AtTail && !r.follow {
			return printer.End()
		}
	}
}

func (a *app) fetch(ctx context.Context, fleet peer.Star, r reading, next, left uint64) (peer.FetchReply, error) {
	request := peer.FetchRequest{Stream: r.name, From: next, MaxCount: int(min(left, 1<<20)), Linearizable: true}
	if r.follow {
		request.Wait = followWait
	}
	ctx, cancel := a.answerWithin(ctx, request.Wait)
	defer cancel()
	return fleet.Fetch(ctx, request)
}

func show(printer *output.Printer, records []peer.Record) error {
	for _, record := range records {
		switch printer.Format() {
		case output.Raw:
			printer.Bytes(record.Body)
			continue
		case output.Table:
			row := recordRow{Seq: record.Seq, Time: record.Timestamp, Body: string(record.Body)}
			if err := printer.Item(row); err != nil {
				return err
			}
		default:
			if err := printer.Item(viewRecord(record)); err != nil {
				return err
			}
		}
	}
	return printer.Flush()
}

type recordRow struct {
	Seq  uint64    `json:"seq"`
	Time time.Time `json:"time"`
	Body string    `json:"body"`
}

// recordView is a record as JSON or YAML. What is no text is in base64, under a name of its own.
type recordView struct {
	Seq        uint64       `json:"seq"`
	Time       time.Time    `json:"time"`
	Headers    []headerView `json:"headers,omitempty"`
	Body       *string      `json:"body,omitempty"`
	BodyBase64 *string      `json:"body_base64,omitempty"`
}

type headerView struct {
	Name        *string `json:"name,omitempty"`
	NameBase64  *string `json:"name_base64,omitempty"`
	Value       *string `json:"value,omitempty"`
	ValueBase64 *string `json:"value_base64,omitempty"`
}

func viewRecord(r peer.Record) recordView {
	v := recordView{Seq: r.Seq, Time: r.Timestamp}
	v.Body, v.BodyBase64 = text(r.Body)
	for _, h := range r.Headers {
		var w headerView
		w.Name, w.NameBase64 = text(h.Name)
		w.Value, w.ValueBase64 = text(h.Value)
		v.Headers = append(v.Headers, w)
	}
	return v
}

func text(data []byte) (plain, encoded *string) {
	if utf8.Valid(data) {
		s := string(data)
		return &s, nil
	}
	s := base64.StdEncoding.EncodeToString(data)
	return nil, &s
}
