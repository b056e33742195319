package cli

import (
	"bufio"
	"errors"
	"io"
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
	page    *output // of the run, where it is drawn
	files   []*output
	flush   []func() error // of each file: writes out what its writer holds
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
			r.discard()
			return nil, err
		}
		r.flush = append(r.flush, r.history.Flush)
	}
	if traceFile != "" {
		file, err := r.create(traceFile)
		if err != nil {
			r.discard()
			return nil, err
		}
		buffer := bufio.NewWriterSize(file, 1<<16)
		r.lines = sim.NewLines(buffer)
		r.flush = append(r.flush, buffer.Flush)
	}
	return r, nil
}

func (r *recording) create(path string) (io.Writer, error) {
	file, err := createOutput(path)
	if err != nil {
		return nil, err
	}
	r.files = append(r.files, file)
	return file, nil
}

// createPage opens the file of the page: one that cannot be written is refused before anything runs.
func (r *recording) createPage(path string) (err error) {
	r.page, err = createOutput(path)
	return err
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

// close writes out what is left, and puts the files in their places.
func (r *recording) close() error {
	var all error
	for i, file := range r.files {
		err := r.flush[i]()
		all = errors.Join(all, err, file.place(err == nil))
	}
	return all
}

// discard leaves nothing behind. A world that was not waited for may still write.
func (r *recording) discard() {
	for _, file := range r.files {
		_ = file.place(false)
	}
	if r.page != nil {
		_ = r.page.place(false)
	}
}
