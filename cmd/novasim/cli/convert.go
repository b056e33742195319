package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/s2verify"
)

const convertUsage = `novasim convert turns a history into the JSON lines of s2-verification, an independent checker, or those into a history. Which way
it goes is told by the file. What has no place in the other format is counted on stderr.

Usage:
  novasim convert [flags] FILE

Examples:
  novasim convert history.jsonl > records.jsonl       for s2-porcupine -file records.jsonl
  novasim convert -stream logs/app -out records.jsonl history.jsonl
  novasim convert records.1754354415.jsonl > history.jsonl
`

func runConvert(ctx context.Context, e Env, args []string) error {
	f := newFlags(e, "convert", convertUsage)
	f.exits = "Exit codes: 0 it was converted, 2 wrong usage or it could not be read or written, 3 interrupted.\n"
	stream := f.String("stream", "", "the `stream` to write, where the history has several; or the name that the only one is given")
	outFile := f.String("out", "", "write to `file` instead of stdout, which - stands for")
	if err := f.parse(args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		return usagef("novasim convert history.jsonl > records.jsonl", "one file must be named, behind the flags")
	}
	name := f.Arg(0)
	if *outFile == "-" {
		*outFile = ""
	}
	if err := distinct([]string{*outFile}, name); err != nil {
		return err
	}
	in, err := openHistory(name)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	into := func(out io.Writer) (s2verify.Left, error) {
		return orInterrupted(ctx, func() (s2verify.Left, error) { return convert(out, in, *stream, name) })
	}
	left, err := convertTo(e, *outFile, into)
	if err != nil {
		return err
	}
	tellLeft(e, left)
	return nil
}

// convertTo has the result written to stdout, or to a file that is there only when it is whole.
func convertTo(e Env, name string, into func(io.Writer) (s2verify.Left, error)) (s2verify.Left, error) {
	if name == "" {
		return into(e.Stdout)
	}
	file, err := createOutput(name)
	if err != nil {
		return s2verify.Left{}, err
	}
	left, err := into(file)
	if err2 := file.place(err == nil); err == nil {
		err = err2
	}
	return left, err
}

// convert converts one file, whichever it is.
func convert(out io.Writer, in io.ReadSeeker, stream, name string) (s2verify.Left, error) {
	start, _ := bufio.NewReader(in).Peek(len(historyStart))
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return s2verify.Left{}, err
	}
	if bytes.Equal(start, []byte(historyStart)) {
		stored, err := history.NewStored(in)
		if err != nil {
			return s2verify.Left{}, wrongFile(name, err)
		}
		left, err := s2verify.Write(out, stored, stream)
		var many *s2verify.StreamError
		if errors.As(err, &many) && len(many.Streams) > 0 {
			return left, usagef("novasim convert -stream "+many.Streams[0]+" "+name, "%s: %v", name, err)
		}
		return left, wrongFile(name, err)
	}
	if stream == "" {
		stream = "s2/stream"
	}
	w, err := history.NewWriter(out, history.Header{Clock: "virtual", MadeBy: "novasim convert " + name})
	if err != nil {
		return s2verify.Left{}, err
	}
	left, err := s2verify.Read(in, stream, w)
	if err == nil {
		err = w.Flush()
	}
	return left, wrongFile(name, err)
}

// historyStart is how the first line of a history begins.
const historyStart = `{"nova_history":`

// wrongFile is wrong usage where a file is not what it should be.
func wrongFile(name string, err error) error {
	var event *history.BadEventError
	var line *s2verify.LineError
	var streams *s2verify.StreamError
	if errors.As(err, &event) || errors.As(err, &line) || errors.As(err, &streams) {
		return usagef("docs/histories.md tells of both formats", "%s: %v", name, err)
	}
	return err
}

// tellLeft says what has no place in the other format.
func tellLeft(e Env, left s2verify.Left) {
	for _, one := range []struct {
		count int
		what  string
	}{
		{left.Reads, "reads were left out: ordinary ones, and such as did not reach the tail"},
		{left.Tokens, "operations were written without their fencing tokens"},
		{left.Unresolved, "reads were kept as answers of the tail alone: which records they saw could not be told"},
	} {
		if one.count > 0 {
			fmt.Fprintf(e.Stderr, "novasim: %d %s\n", one.count, one.what)
		}
	}
}
