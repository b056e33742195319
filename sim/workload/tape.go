package workload

import (
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// Tape is the operations of a recorded history, to be asked of another fleet.
type Tape struct {
	streams []*Stream
	ops     []taped // in order of time
	length  int64   // nanoseconds from the first event to the last
}

// taped is one recorded operation.
type taped struct {
	history.Invoke
	at     int64 // since the first event
	stream *Stream
	voice  int // of opens and appends: which producer; it is the number of the open, from 1, or negative where none was recorded
}

// NewTape reads a history. A stream that ever had a fencing token takes one producer at a time; of every two streams, one is of
// the Express class.
func NewTape(source history.Source) (*Tape, error) {
	t := &taping{tape: &Tape{}, byName: map[string]*Stream{}, open: map[opKey]int{}, voices: map[speaker]int{}}
	for e, err := range source.Events() {
		if err != nil {
			return nil, err
		}
		switch e := e.(type) {
		case history.Invoke:
			t.invoke(e)
		case history.Complete:
			t.complete(e)
		}
	}
	if len(t.tape.ops) == 0 {
		return nil, fmt.Errorf("the history has no operation")
	}
	return t.tape, nil
}

// Streams counts the streams.
func (t *Tape) Streams() int { return len(t.streams) }

// Operations counts the operations.
func (t *Tape) Operations() int { return len(t.ops) }

// Length is how long the recording took, in nanoseconds.
func (t *Tape) Length() int64 { return t.length }

// taping is a tape that is being made.
type taping struct {
	tape   *Tape
	byName map[string]*Stream
	start  int64
	open   map[opKey]int   // operations under way, by their place
	voices map[speaker]int // the latest producer
	voice  int
}

type opKey struct {
	client history.Client
	op     history.OpID
}

// speaker is who appends: a client with a token.
type speaker struct {
	client history.Client
	stream string
	token  history.Token
}

func (t *taping) invoke(e history.Invoke) {
	if len(t.tape.ops) == 0 {
		t.start = e.At
	}
	one := taped{Invoke: e, at: e.At - t.start, stream: t.stream(e.Stream)}
	if e.Token != 0 {
		one.stream.Mode = peer.ModeFenced
	}
	who := speaker{e.Client, e.Stream, e.Token}
	switch e.Kind {
	case history.Open:
		t.voice++
		one.voice = t.voice
	case history.Append:
		if t.voices[who] == 0 {
			t.voice++
			t.voices[who] = -t.voice
		}
		one.voice = t.voices[who]
	case history.Read, history.Tail:
	}
	t.open[opKey{e.Client, e.Op}] = len(t.tape.ops)
	t.tape.ops = append(t.tape.ops, one)
	t.tape.length = max(t.tape.length, one.at)
}

// complete finds which appends an open is for: those with the token that it was given.
func (t *taping) complete(e history.Complete) {
	key := opKey{e.Client, e.Op}
	one := &t.tape.ops[t.open[key]]
	delete(t.open, key)
	t.tape.length = max(t.tape.length, e.At-t.start)
	if e.Kind == history.Open && e.Outcome == history.OK {
		t.voices[speaker{e.Client, one.Stream, e.Token}] = one.voice
		if e.Token != 0 {
			one.stream.Mode = peer.ModeFenced
		}
	}
}

func (t *taping) stream(name string) *Stream {
	s := t.byName[name]
	if s == nil {
		s = &Stream{Name: peer.StreamName{Bucket: bucketOfAll, Key: keyOf(name)}, Mode: peer.ModeAny, Class: peer.ClassStandard}
		if len(t.byName)%2 == 1 {
			s.Class = peer.ClassExpress
		}
		t.byName[name] = s
		t.tape.streams = append(t.tape.streams, s)
	}
	return s
}

// keyOf is the key of a recorded stream: its name, which has a bucket in it and so may be longer than any key, or have in it what
// no key has. Such a one is known by its hash.
func keyOf(name string) string {
	if keys.CheckStreamKey(name) == nil {
		return name
	}
	return fmt.Sprintf("recorded/%032x", xxh3.HashString128(name).Bytes())
}
