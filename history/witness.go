package history

import (
	"fmt"
	"maps"
	"slices"
)

// witness checks each stream against its final contents.
//
// The final contents give the order of the appends, and each answer names the tail that it saw, so every operation has a
// place in one sequence. That sequence explains the history if and only if no operation completed before another
// was invoked that has an earlier place. To see this in one pass, the highest tail that completed operations have
// proved (the floor) is noted at each invocation: an append must then begin at it or above, and a linearizable answer
// must not be below it.
type witness struct {
	byName  map[string]*stream
	names   Names
	streams []*stream // in the order of their names
	counts  Counts
}

// stream is what the witness check knows of one stream.
type stream struct {
	sink
	final    []Hash
	readBack bool // there were final contents

	floor      floor
	tokenFloor tokenFloor
	readers    map[Client]floor

	placed    []placed // acknowledged appends, and later those found in the final contents
	unknown   []*op    // appends that may be there or not
	sightings []floor  // tails that were answered
	tokens    tokens
}

// floor is a tail that the stream has certainly reached, and the operation that proves it.
type floor struct {
	tail Seq
	by   Ref
	how  how
}

// how is what an operation said of a tail.
type how uint8

const (
	acknowledged how = iota + 1
	returned
	answered
	refused
)

func (f floor) raise(to floor) floor {
	if to.tail > f.tail {
		return to
	}
	return f
}

func (f floor) String() string { return f.in(nil) }

func (f floor) in(names Names) string {
	by := f.by.in(names)
	switch f.how {
	case acknowledged:
		return fmt.Sprintf("%s had been acknowledged up to seq %d", by, f.tail-1)
	case returned:
		return fmt.Sprintf("%s had returned records up to seq %d", by, f.tail-1)
	case refused:
		return fmt.Sprintf("%s had been refused with tail %d", by, f.tail)
	default:
		return fmt.Sprintf("%s had answered tail %d", by, f.tail)
	}
}

// said is what the operation did, as the verb of a sentence.
type said floor

func (s said) String() string { return s.in(nil) }

func (s said) in(names Names) string {
	if s.how == refused {
		return fmt.Sprintf("%s was refused with tail %d", s.by.in(names), s.tail)
	}
	return fmt.Sprintf("%s answered tail %d", s.by.in(names), s.tail)
}

// placed is an append and where it is.
type placed struct {
	first, next Seq
	token       Token
	by          Ref
}

func newWitness(source Source, names Names, part part) (*witness, error) {
	w := &witness{byName: map[string]*stream{}, names: names}
	for f, err := range source.Finals() {
		if err != nil {
			return nil, err
		}
		if !part.has(f.Stream) {
			continue
		}
		s := w.stream(f.Stream)
		s.readBack = true
		s.final = append(s.final, f.Hashes...)
	}
	return w, nil
}

func (w *witness) stream(name string) *stream {
	s, ok := w.byName[name]
	if !ok {
		s = &stream{sink: sink{stream: name, names: w.names}, readers: map[Client]floor{}}
		w.byName[name] = s
	}
	return s
}

func (w *witness) invoke(o *op) {
	s := w.stream(o.Stream)
	o.floor, o.tokenFloor, o.readerFloor = s.floor, s.tokenFloor, s.readers[o.Client]
	s.tokens.invoked(o)
}

func (w *witness) complete(o *op, c Complete) {
	w.counts.add(o, c)
	s := w.stream(o.Stream)
	s.tokens.ended(o, c)
	switch {
	case c.Outcome == Unknown && o.Kind == Append:
		s.unknown = append(s.unknown, o)
	case c.Outcome == Failed && c.Code == MatchFailed:
		s.refused(o, c)
	case c.Outcome == Failed && c.Code == Fenced:
		s.fenced(o, c)
	case c.Outcome != OK:
	case o.Kind == Append:
		s.acknowledged(o, c)
	case o.Kind == Read:
		s.read(o, c)
	case o.Kind == Open:
		s.opened(o, c)
	case o.Kind == Tail:
		s.sight(floor{c.Tail, o.ref(), answered}, o)
	}
}

// finish judges what only the whole history can tell.
func (w *witness) finish(source Source, result *Result) error {
	w.streams = make([]*stream, 0, len(w.byName))
	for _, name := range slices.Sorted(maps.Keys(w.byName)) {
		w.streams = append(w.streams, w.byName[name])
	}
	w.counts.Streams = len(w.streams)
	suspects := map[string]*suspects{}
	for _, s := range w.streams {
		if !s.readBack {
			s.undecide("its final contents were not read back, so the order of its records is not known")
			s.placeAcknowledged()
		} else if unexplained := s.placeAll(); unexplained != nil {
			suspects[s.stream] = unexplained
		}
		s.checkSightings()
		s.checkTokens()
	}
	if err := w.blame(source, suspects); err != nil {
		return err
	}
	for _, s := range w.streams {
		result.take(&s.sink)
	}
	result.Witness.join(w.counts)
	return nil
}

// inOrder is the open operations by client and id.
func inOrder(open map[opKey]*op) []*op {
	keys := slices.SortedFunc(maps.Keys(open), opKey.compare)
	ops := make([]*op, len(keys))
	for i, k := range keys {
		ops[i] = open[k]
	}
	return ops
}

// seqs names a run of seqs in words.
func seqs(first, next Seq) string {
	if next == first+1 {
		return fmt.Sprintf("seq %d", first)
	}
	return fmt.Sprintf("seqs %d to %d", first, next-1)
}

// ends says where the final contents end.
func (s *stream) ends() string {
	if len(s.final) == 0 {
		return "the final contents are empty"
	}
	return fmt.Sprintf("the final contents end with seq %d", len(s.final)-1)
}
