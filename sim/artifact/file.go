package artifact

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/zeebo/xxh3"

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
	out, sum := bufio.NewWriter(w), xxh3.New()
	lines := json.NewEncoder(io.MultiWriter(out, sum)) // an error of out stays: Flush tells it
	_ = lines.Encode(header{FormatVersion, f.Code, f.MadeBy})
	_ = lines.Encode(optionsOf(f.Options))
	if f.Options.Script != nil {
		for _, act := range f.Options.Script.Acts {
			_ = lines.Encode(act)
		}
	}
	end := expected{Hash: fmt.Sprintf("%016x", f.Hash), Check: f.Check, Sentence: f.Sentence}
	end.Sum = end.sumOver(sum)
	_ = lines.Encode(end)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write failure: %w", err)
	}
	return nil
}

// sumOver is the checksum over the lines so far and this one.
func (e expected) sumOver(lines *xxh3.Hasher) string {
	_, _ = fmt.Fprintf(lines, "%s %s %s", e.Hash, e.Check, e.Sentence) // a hasher takes everything
	return fmt.Sprintf("%016x", lines.Sum64())
}

// reader reads line after line.
type reader struct {
	in   *bufio.Reader
	line int
	text []byte
}

// next reads the next line.
func (r *reader) next() error {
	text, err := r.in.ReadBytes('\n')
	r.line++
	r.text = text
	if errors.Is(err, io.EOF) {
		err = errors.New("the file ends too early")
	}
	if err != nil {
		return &FileError{r.line, err}
	}
	return nil
}

// decode takes the line for a value, of which it must have no other fields.
func (r *reader) decode(into any) error {
	d := json.NewDecoder(bytes.NewReader(r.text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("more follows after the object")
		}
	}
	if err != nil {
		return &FileError{r.line, err}
	}
	return nil
}

// nextAs reads the next line as a value.
func (r *reader) nextAs(into any) error {
	if err := r.next(); err != nil {
		return err
	}
	return r.decode(into)
}

// Read reads a failure.
func Read(in io.Reader) (Failure, error) {
	r, sum := &reader{in: bufio.NewReader(in)}, xxh3.New()
	var top header
	var opts options
	if err := r.nextAs(&top); err != nil {
		return Failure{}, err
	}
	if top.Version != FormatVersion {
		return Failure{}, &FileError{1, fmt.Errorf("the format is version %d; this reader knows version %d", top.Version, FormatVersion)}
	}
	_, _ = sum.Write(r.text)
	if err := r.nextAs(&opts); err != nil {
		return Failure{}, err
	}
	_, _ = sum.Write(r.text)
	o, err := opts.options()
	if err != nil {
		return Failure{}, &FileError{r.line, err}
	}
	f := Failure{Code: top.Code, MadeBy: top.MadeBy, Options: o}
	for {
		if err := r.next(); err != nil {
			return Failure{}, err
		}
		if bytes.HasPrefix(r.text, []byte(endStart)) {
			break
		}
		var act script.Act
		if err := r.decode(&act); err != nil {
			return Failure{}, err
		}
		if f.Options.Script == nil {
			return Failure{}, &FileError{r.line, errors.New("an act, although the run has no script")}
		}
		f.Options.Script.Acts = append(f.Options.Script.Acts, act)
		_, _ = sum.Write(r.text)
	}
	var end expected
	if err := r.decode(&end); err != nil {
		return Failure{}, err
	}
	f.Check, f.Sentence, f.Changed = end.Check, end.Sentence, end.sumOver(sum) != end.Sum
	if f.Hash, err = strconv.ParseUint(end.Hash, 16, 64); err != nil {
		return Failure{}, &FileError{r.line, fmt.Errorf("%q is no trace hash", end.Hash)}
	}
	return f, r.end()
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
