package s2verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/novastream/nova/history"
)

// LineError says which line is wrong, and why.
type LineError struct {
	Line   int
	Reason error
}

func (e *LineError) Error() string {
	return fmt.Sprintf("s2-verification line %d: %v", e.Line, e.Reason)
}
func (e *LineError) Unwrap() error { return e.Reason }

// operation is one operation of a file.
type operation struct {
	line
	ended  *finish
	at     int64
	client history.Client
}

// Read reads a history and records it as one of a stream of that name. A client keeps its number.
func Read(in io.Reader, stream string, out history.Recorder) (Left, error) {
	r := &reading{stream: stream, out: out, byOp: map[uint64]*operation{}}
	if err := r.scan(in); err != nil {
		return Left{}, err
	}
	r.contents = resolve(r.ops)
	r.record()
	return r.left, nil
}

type reading struct {
	stream   string
	out      history.Recorder
	ops      []*operation // in order of their start
	byOp     map[uint64]*operation
	moments  []moment
	contents *contents
	left     Left
}

// moment is the start or the end of an operation.
type moment struct {
	op  *operation
	end bool
	at  int64
}

func (r *reading) scan(in io.Reader) error {
	decoder := json.NewDecoder(in)
	for n := 1; ; n++ {
		var text json.RawMessage
		err := decoder.Decode(&text)
		if errors.Is(err, io.EOF) && n > 1 {
			return nil
		}
		if errors.Is(err, io.EOF) {
			err = errors.New("the file is empty")
		}
		if err == nil {
			strict := json.NewDecoder(bytes.NewReader(text))
			strict.DisallowUnknownFields()
			var l line
			if err = strict.Decode(&l); err == nil {
				err = r.take(l, int64(n))
			}
		}
		if err != nil {
			return &LineError{n, err}
		}
	}
}

func (r *reading) take(l line, at int64) error {
	o := r.byOp[l.Op]
	switch {
	case (l.Event.Start != nil) == (l.Event.Finish != nil):
		return errors.New("an event is either Start or Finish")
	case l.Event.Start != nil && o != nil:
		return fmt.Errorf("operation %d starts twice", l.Op)
	case l.Event.Start != nil:
		o = &operation{line: l, at: at, client: history.Client(l.Client)}
		r.ops, r.byOp[l.Op] = append(r.ops, o), o
		r.moments = append(r.moments, moment{o, false, at})
	case o == nil || o.ended != nil:
		return fmt.Errorf("operation %d ends, but it is not under way", l.Op)
	case !o.Event.Start.fits(l.Event.Finish):
		return fmt.Errorf("operation %d ends as another kind than it started", l.Op)
	default:
		o.ended = l.Event.Finish
		r.moments = append(r.moments, moment{o, true, at})
	}
	return nil
}

// fits says whether an end is one of this start.
func (s *start) fits(f *finish) bool {
	switch f.word {
	case appended, refused, nobodyKnows:
		return s.batch != nil && (f.word != appended || f.tail >= s.batch.Records)
	case readDone, readFailed:
		return s.word == reads
	default:
		return s.word == checkTail
	}
}

// record records all, and the final contents where they are known.
func (r *reading) record() {
	numbers := map[history.Client]history.OpID{}
	ids := map[*operation]history.OpID{}
	for _, m := range r.moments {
		if !m.end {
			numbers[m.op.client]++
			ids[m.op] = numbers[m.op.client]
			r.invoke(m, ids[m.op])
		} else {
			r.complete(m, ids[m.op])
		}
	}
	if r.contents.known {
		r.out.Final(history.Final{At: int64(len(r.moments)) + 1, Stream: r.stream, Hashes: r.contents.all})
	}
}

// kind is what an operation is recorded as.
func (r *reading) kind(o *operation) history.Kind {
	switch {
	case o.Event.Start.batch != nil:
		return history.Append
	case o.Event.Start.word == checkTail, !r.contents.known && o.ended != nil && o.ended.word == readDone:
		return history.Tail
	default:
		return history.Read
	}
}

func (r *reading) invoke(m moment, id history.OpID) {
	in := history.Invoke{At: m.at, Client: m.op.client, Op: id, Kind: r.kind(m.op), Stream: r.stream}
	if b := m.op.Event.Start.batch; b != nil {
		for _, h := range b.Hashes {
			in.Hashes = append(in.Hashes, history.Hash(h))
		}
		if b.Match != nil {
			match := history.Seq(*b.Match)
			in.Match = &match
		}
		if b.Token != nil || b.SetToken != nil {
			r.left.Tokens++
		}
	}
	in.Linearizable = in.Kind == history.Read
	if in.Kind == history.Tail && m.op.Event.Start.word == reads {
		r.left.Unresolved++
	}
	r.out.Invoke(in)
}

func (r *reading) complete(m moment, id history.OpID) {
	f := m.op.ended
	c := history.Complete{At: m.at, Client: m.op.client, Op: id, Kind: r.kind(m.op), Outcome: history.OK}
	tail := history.Seq(f.tail)
	switch f.word {
	case appended:
		c.First, c.Next = tail-history.Seq(m.op.Event.Start.batch.Records), tail
	case nobodyKnows:
		c.Outcome, c.Code = history.Unknown, "indefinite"
	case refused, readFailed, tailFailed:
		c.Outcome, c.Code = history.Failed, "failed"
	default:
		c.Tail = tail
		if c.Kind == history.Read {
			c.Tail, c.Next, c.AtTail = 0, tail, true
			c.Hashes = r.contents.read(f)
		}
	}
	r.out.Complete(c)
}
