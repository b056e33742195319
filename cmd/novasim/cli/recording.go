package cli

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim"
)

// recording writes what happens in a run into files.
type recording struct {
	history *history.Writer
	lines   *sim.Lines
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

// recorder is nil where no history is written.
func (r *recording) recorder() history.Recorder {
	if r.history == nil {
		return nil
	}
	return r.history
}

// tracer is nil where no trace is written.
func (r *recording) tracer() sim.Tracer {
	if r.lines == nil {
		return nil
	}
	return r.lines
}

// close writes out what is left; the last opened is closed first.
func (r *recording) close() error {
	var all error
	for i := len(r.flush) - 1; i >= 0; i-- {
		all = errors.Join(all, r.flush[i]())
	}
	return all
}
