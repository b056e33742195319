package s2verify

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/novastream/nova/history"
)

// Left counts what has no place in the other format.
type Left struct {
	Reads      int // ordinary reads, and reads that did not reach the tail
	Tokens     int // operations with a fencing token, which were kept without it
	Unresolved int // reads of which the records could not be told; they were kept as answers of the tail alone
}

// StreamError says of which streams a history can be written, as the one that was asked for is not among them, or none was.
type StreamError struct {
	Asked   string
	Streams []string
}

func (e *StreamError) Error() string {
	var names []string
	for _, s := range e.Streams {
		names = append(names, strconv.Quote(s))
	}
	switch {
	case len(names) == 0:
		return "the history has no operation, so that there is no stream to write"
	case e.Asked != "":
		return fmt.Sprintf("the history has no stream %q; it has %s", e.Asked, strings.Join(names, ", "))
	default:
		return fmt.Sprintf("a file of s2-verification holds one stream; this history has %d: %s", len(names), strings.Join(names, ", "))
	}
}

// writer writes one stream of a history.
type writer struct {
	out   *json.Encoder
	final []history.Hash
	lanes []bool // clients of the written history that have an operation under way
	usual map[history.Client]int
	open  map[key]*written
	order []*written // open ones, in order of their start
	ops   uint64
	left  Left
}

type key struct {
	client history.Client
	op     history.OpID
}

// written is an operation under way.
type written struct {
	history.Invoke
	lane  int
	id    uint64
	ended bool
}

// Write writes one stream of a history. An empty name is the only stream there is; where there are others, the error is a
// *StreamError.
func Write(out io.Writer, source history.Source, stream string) (Left, error) {
	buffer := bufio.NewWriter(out)
	w := &writer{out: json.NewEncoder(buffer), open: map[key]*written{}, usual: map[history.Client]int{}}
	name, err := only(source, stream)
	if err != nil {
		return Left{}, err
	}
	for f, err := range source.Finals() {
		if err != nil {
			return Left{}, err
		}
		if f.Stream == name {
			w.final = append(w.final, f.Hashes...)
		}
	}
	for e, err := range source.Events() {
		if err != nil {
			return Left{}, err
		}
		if err := w.event(e, name); err != nil {
			return Left{}, err
		}
	}
	if err := w.end(); err != nil {
		return Left{}, err
	}
	return w.left, buffer.Flush()
}

// only is the stream of that name, or the only one.
func only(source history.Source, stream string) (string, error) {
	var names []string
	for e, err := range source.Events() {
		if err != nil {
			return "", err
		}
		in, ok := e.(history.Invoke)
		if at, there := slices.BinarySearch(names, in.Stream); ok && !there {
			names = slices.Insert(names, at, in.Stream)
		}
	}
	switch {
	case stream != "" && !slices.Contains(names, stream):
		return "", &StreamError{stream, names}
	case stream != "":
		return stream, nil
	case len(names) != 1:
		return "", &StreamError{"", names}
	default:
		return names[0], nil
	}
}

func (w *writer) event(e history.Event, stream string) error {
	switch e := e.(type) {
	case history.Invoke:
		if e.Stream == stream {
			return w.invoke(e)
		}
	case history.Complete:
		if o := w.open[key{e.Client, e.Op}]; o != nil {
			return w.complete(o, e)
		}
	}
	return nil
}

// invoke writes the start of an operation, unless it has no place.
func (w *writer) invoke(e history.Invoke) error {
	s := &start{word: checkTail}
	switch e.Kind {
	case history.Append:
		s = &start{batch: &batch{Records: uint64(len(e.Hashes)), Hashes: numbers(e.Hashes)}}
		if e.Match != nil {
			match := uint64(*e.Match)
			s.batch.Match = &match
		}
	case history.Read:
		if !e.Linearizable {
			w.left.Reads++
			return nil
		}
		s.word = reads
	case history.Open, history.Tail:
	}
	if e.Token != 0 {
		w.left.Tokens++
	}
	w.ops++
	o := &written{Invoke: e, lane: w.take(e.Client), id: w.ops}
	w.open[key{e.Client, e.Op}] = o
	w.order = append(w.order, o)
	return w.line(o, event{Start: s})
}

func numbers(hashes []history.Hash) []uint64 {
	all := make([]uint64, len(hashes))
	for i, h := range hashes {
		all[i] = uint64(h)
	}
	return all
}

// take finds a client that has nothing under way, the same as last time where it can.
func (w *writer) take(client history.Client) int {
	i, had := w.usual[client]
	if !had || w.lanes[i] {
		i = slices.Index(w.lanes, false)
	}
	if i < 0 {
		w.lanes = append(w.lanes, false)
		i = len(w.lanes) - 1
	}
	w.lanes[i], w.usual[client] = true, i
	return i
}

func (w *writer) line(o *written, e event) error {
	if err := w.out.Encode(line{Event: e, Client: uint64(o.lane), Op: o.id}); err != nil {
		return fmt.Errorf("write s2-verification: %w", err)
	}
	return nil
}

// complete writes the end of an operation. Appends of unknown outcome end with the history.
func (w *writer) complete(o *written, c history.Complete) error {
	if o.Kind == history.Append && c.Outcome == history.Unknown {
		return nil
	}
	o.ended = true
	w.lanes[o.lane] = false
	delete(w.open, key{o.Client, o.Op})
	return w.line(o, event{Finish: w.finish(o, c)})
}

func (w *writer) finish(o *written, c history.Complete) *finish {
	done := c.Outcome == history.OK
	switch o.Kind {
	case history.Append:
		if done {
			return &finish{word: appended, tail: uint64(c.Next)}
		}
		return &finish{word: refused}
	case history.Read:
		atTail := done && c.AtTail && c.Next == c.First+history.Seq(len(c.Hashes)) && (len(c.Hashes) > 0 || o.From == 0)
		if !atTail {
			w.left.Reads++
			return &finish{word: readFailed}
		}
		return &finish{word: readDone, tail: uint64(c.Next), fold: fold(fold(0, w.before(c.First)...), c.Hashes...)}
	default:
		if done {
			return &finish{word: tailDone, tail: uint64(c.Tail)}
		}
		return &finish{word: tailFailed}
	}
}

// before are the final contents up to a seq.
func (w *writer) before(seq history.Seq) []history.Hash {
	return w.final[:min(seq, history.Seq(len(w.final)))]
}

// place finds where an append of unknown outcome stands in the final contents: the seq after it. What stands there twice, or
// only in part, is not decided.
func (w *writer) place(hashes []history.Hash) (end uint64, found bool) {
	if len(hashes) == 0 {
		return 0, false
	}
	at := -1
	for i, h := range w.final {
		if h == hashes[0] && at >= 0 {
			return 0, false
		}
		if h == hashes[0] {
			at = i
		}
	}
	if at < 0 || len(w.final)-at < len(hashes) || !slices.Equal(w.final[at:at+len(hashes)], hashes) {
		return 0, false
	}
	return uint64(at + len(hashes)), true
}

// end writes what never ended, and the final contents as a read of a client of its own.
func (w *writer) end() error {
	for _, o := range w.order {
		if o.ended {
			continue
		}
		never := &finish{word: nobodyKnows}
		if end, found := w.place(o.Hashes); found {
			never = &finish{word: appended, tail: end}
		}
		switch o.Kind {
		case history.Read:
			never.word = readFailed
		case history.Open, history.Tail:
			never.word = tailFailed
		case history.Append:
		}
		if err := w.line(o, event{Finish: never}); err != nil {
			return err
		}
	}
	if w.final == nil {
		return nil
	}
	w.ops++
	last := &written{lane: len(w.lanes), id: w.ops}
	if err := w.line(last, event{Start: &start{word: reads}}); err != nil {
		return err
	}
	return w.line(last, event{Finish: &finish{word: readDone, tail: uint64(len(w.final)), fold: fold(0, w.final...)}})
}
