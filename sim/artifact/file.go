package artifact

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/novastream/nova/sim/script"
)

// FileError says which line of a file is wrong, and why.
type FileError struct {
	Line   int
	Reason error
}

func (e *FileError) Error() string {
	return fmt.Sprintf("line %d is not that of a kept failure: %v", e.Line, e.Reason)
}
func (e *FileError) Unwrap() error { return e.Reason }

// Write writes a failure.
func Write(w io.Writer, f Failure) error {
	out := bufio.NewWriter(w)
	lines := json.NewEncoder(out) // an error of out stays: Flush tells it
	_ = lines.Encode(header{FormatVersion, f.Code, f.MadeBy})
	_ = lines.Encode(optionsOf(f.Options))
	if f.Options.Script != nil {
		for _, act := range f.Options.Script.Acts {
			_ = lines.Encode(act)
		}
	}
	_ = lines.Encode(expected{fmt.Sprintf("%016x", f.Hash), f.Check, f.Sentence})
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write failure: %w", err)
	}
	return nil
}

// reader reads line after line.
type reader struct {
	in   *bufio.Reader
	line int
}

// next reads the next line into one of several values: the first whose fields it has.
func (r *reader) next(into ...any) (which int, err error) {
	text, err := r.in.ReadBytes('\n')
	r.line++
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the file ends too early")
		}
		return 0, &FileError{r.line, err}
	}
	for i, value := range into {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err = d.Decode(value); err == nil {
			if _, err = d.Token(); errors.Is(err, io.EOF) {
				return i, nil
			}
			err = errors.New("more follows after the object")
		}
	}
	return 0, &FileError{r.line, err}
}

// Read reads a failure.
func Read(in io.Reader) (Failure, error) {
	r := &reader{in: bufio.NewReader(in)}
	var top header
	var opts options
	if _, err := r.next(&top); err != nil {
		return Failure{}, err
	}
	if top.Version != FormatVersion {
		return Failure{}, &FileError{1, fmt.Errorf("the format is version %d; this reader knows version %d", top.Version, FormatVersion)}
	}
	if _, err := r.next(&opts); err != nil {
		return Failure{}, err
	}
	o, err := opts.options()
	if err != nil {
		return Failure{}, &FileError{r.line, err}
	}
	f := Failure{Code: top.Code, MadeBy: top.MadeBy, Options: o}
	for {
		var act script.Act
		var end expected
		which, err := r.next(&act, &end)
		switch {
		case err != nil:
			return Failure{}, err
		case which == 0 && f.Options.Script == nil:
			return Failure{}, &FileError{r.line, errors.New("an act, although the run has no script")}
		case which == 0:
			f.Options.Script.Acts = append(f.Options.Script.Acts, act)
			continue
		}
		f.Check, f.Sentence = end.Check, end.Sentence
		if f.Hash, err = strconv.ParseUint(end.Hash, 16, 64); err != nil {
			return Failure{}, &FileError{r.line, err}
		}
		return f, r.end()
	}
}

// end sees that nothing follows.
func (r *reader) end() error {
	switch _, err := r.in.ReadByte(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return &FileError{r.line + 1, err}
	default:
		return &FileError{r.line + 1, errors.New("more follows after the last line")}
	}
}
