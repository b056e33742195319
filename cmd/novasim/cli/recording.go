package cli

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/timeline"
)

// recording writes what happens in a run into files.
type recording struct {
	history *history.Writer
	log     *history.Log // in memory, for the page
	lines   *sim.Lines
	events  *timeline.Collector
	flush   []func() error
}

// record opens the files that have a name. madeBy is the command that makes them.
func record(historyFile, traceFile, madeBy string) (*recording, error) {
	r := &recording{}
	if historyFile != "" {
		file, err := r.create(historyFile)
		if err != nil {
			return nil, err
		}
		if r.history, err = history.NewWriter(file, history.Header{Clock: "virtual", MadeBy: madeBy}); err != nil {
			return nil, errors.Join(err, r.close())
		}
		r.flush = append(r.flush, r.history.Flush)
	}
	if traceFile != "" {
		file, err := r.create(traceFile)
		if err != nil {
			return nil, errors.Join(err, r.close())
		}
		buffer := bufio.NewWriterSize(file, 1<<16)
		r.lines = sim.NewLines(buffer)
		r.flush = append(r.flush, buffer.Flush)
	}
	return r, nil
}

func (r *recording) create(path string) (io.Writer, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	r.flush = append(r.flush, file.Close)
	return file, nil
}

// collect keeps events and history in memory too, to be explained.
func (r *recording) collect() { r.log, r.events = &history.Log{}, &timeline.Collector{} }

// recorder is nil where no history is recorded.
func (r *recording) recorder() history.Recorder {
	switch {
	case r.history == nil && r.log == nil:
		return nil
	case r.log == nil:
		return r.history
	case r.history == nil:
		return r.log
	default:
		return twoRecorders{r.history, r.log}
	}
}

// tracer is nil where nobody asks for events.
func (r *recording) tracer() sim.Tracer {
	switch {
	case r.lines == nil && r.events == nil:
		return nil
	case r.events == nil:
		return r.lines
	case r.lines == nil:
		return r.events
	default:
		return twoTracers{r.events, r.lines}
	}
}

// twoRecorders tells both.
type twoRecorders [2]history.Recorder

func (t twoRecorders) Invoke(e history.Invoke) {
	t[0].Invoke(e)
	t[1].Invoke(e)
}

func (t twoRecorders) Complete(e history.Complete) {
	t[0].Complete(e)
	t[1].Complete(e)
}

func (t twoRecorders) Final(e history.Final) {
	t[0].Final(e)
	t[1].Final(e)
}

// twoTracers tells a collector, which asks for causes, and the lines of a file.
type twoTracers struct {
	*timeline.Collector
	lines *sim.Lines
}

func (t twoTracers) Event(at time.Duration, where, what string, kv []any) {
	t.Collector.Event(at, where, what, kv)
	t.lines.Event(at, where, what, kv)
}

// close writes out what is left; the last opened is closed first.
func (r *recording) close() error {
	var all error
	for i := len(r.flush) - 1; i >= 0; i-- {
		all = errors.Join(all, r.flush[i]())
	}
	return all
}
