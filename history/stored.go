package history

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// MaxLine is the longest line that Stored reads, in bytes.
const MaxLine = 64 << 20

// Stored is a history as Writer wrote it.
type Stored struct {
	Header Header

	in   io.ReadSeeker
	torn string
}

var _ Source = (*Stored)(nil)

// NewStored reads the header. The events are read each time they are asked for, from the start of in.
func NewStored(in io.ReadSeeker) (*Stored, error) {
	s := &Stored{in: in}
	lines, err := s.rewind()
	if err != nil {
		return nil, err
	}
	text, _, err := lines.next()
	if errors.Is(err, io.EOF) {
		return nil, &BadEventError{Line: 1, Reason: "the file is empty; the first line must be the header"}
	}
	if err != nil {
		return nil, err
	}
	s.Header, err = decodeHeader(text)
	if err != nil {
		return nil, &BadEventError{Line: 1, Reason: err.Error()}
	}
	return s, nil
}

// Warning tells, after the events were read, of a last line that was ignored because its recorder died in the middle of it.
func (s *Stored) Warning() string { return s.torn }

// Events reads the events; a *BadEventError where a line is not one or breaks a rule.
func (s *Stored) Events() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var r rules
		for e, err := range s.decoded(nil) {
			if err != nil {
				yield(nil, err)
				return
			}
			if reason := r.admit(e.event); reason != "" {
				yield(nil, &BadEventError{Line: e.line, Reason: reason})
				return
			}
			if !yield(e.event, nil) {
				return
			}
		}
	}
}

// Finals reads the Final events, and only the lines that can be one. Rules are checked by Events.
func (s *Stored) Finals() iter.Seq2[Final, error] {
	return func(yield func(Final, error) bool) {
		for e, err := range s.decoded([]byte(`"final"`)) {
			if err != nil {
				yield(Final{}, err)
				return
			}
			if f, ok := e.event.(Final); ok && !yield(f, nil) {
				return
			}
		}
	}
}

type numbered struct {
	line  int
	event Event
}

// decoded reads the lines after the header that hold the given text.
func (s *Stored) decoded(holding []byte) iter.Seq2[numbered, error] {
	return func(yield func(numbered, error) bool) {
		lines, err := s.rewind()
		if err == nil {
			_, _, err = lines.next() // the header
		}
		for err == nil {
			var text []byte
			var whole bool
			if text, whole, err = lines.next(); err != nil {
				break
			}
			if !bytes.Contains(text, holding) {
				continue
			}
			event, bad := decodeEvent(text)
			if bad != nil && !whole {
				s.torn = fmt.Sprintf("history line %d is torn (%v) and was left out: the recorder died while it wrote it", lines.line, bad)
				return
			}
			if bad != nil {
				err = &BadEventError{Line: lines.line, Reason: bad.Error()}
				break
			}
			if !yield(numbered{lines.line, event}, nil) {
				return
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(numbered{}, err)
		}
	}
}

func (s *Stored) rewind() (*lineReader, error) {
	if _, err := s.in.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	return &lineReader{in: bufio.NewReaderSize(s.in, 1<<18)}, nil
}

// lineReader cuts the input into lines. A line lives until the next call.
type lineReader struct {
	in   *bufio.Reader
	line int // number of the last line given out, from 1
	long []byte
}

// next is the next line that is not empty, without its end, and whether it had an end; io.EOF after the last.
func (l *lineReader) next() (text []byte, whole bool, err error) {
	for {
		text, whole, err = l.read()
		if err != nil || len(bytes.TrimSpace(text)) > 0 {
			return text, whole, err
		}
	}
}

func (l *lineReader) read() (text []byte, whole bool, err error) {
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		switch {
		case err == nil && len(l.long) == 0:
			l.line++
			return part[:len(part)-1], true, nil
		case err == nil:
			l.line++
			l.long = append(l.long, part...)
			return l.long[:len(l.long)-1], true, nil
		case errors.Is(err, io.EOF) && len(l.long)+len(part) == 0:
			return nil, false, io.EOF
		case errors.Is(err, io.EOF):
			l.line++
			return append(l.long, part...), false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, fmt.Errorf("read history after line %d: %w", l.line, err)
		}
		if len(l.long)+len(part) > MaxLine {
			return nil, false, &BadEventError{Line: l.line + 1, Reason: fmt.Sprintf("the line is longer than %d MiB", MaxLine>>20)}
		}
		l.long = append(l.long, part...)
	}
}
