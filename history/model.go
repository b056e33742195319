package history

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/anishathalye/porcupine"
)

// verb is what a step does to the state, or shows of it.
type verb uint8

const (
	appends verb = iota + 1
	shows        // tail or open: the tail, and the token of an open
	reads
	refuses // a condition did not hold
	fences  // a newer producer has the stream
)

// step is one operation with its answer, as a transition of the state.
type step struct {
	verb        verb
	open        bool // it is an open
	optional    bool // it may have happened or not
	pinned      bool // optional: if it happened, then at first
	first, next Seq
	hashes      []Hash
	match       *Seq
	token       Token // the operation's own
	newer       Token // fences: the token of the newer producer; open: the token that was given
	baseless    bool  // fences: no operation can have brought that token
	atTail      bool
	chain       uint64 // reads from seq 0: the chain of the hashes
}

func (s step) String() string {
	switch s.verb {
	case appends:
		return "was acknowledged at " + seqs(s.first, s.next)
	case reads:
		return fmt.Sprintf("returned %d records from seq %d", len(s.hashes), s.first)
	case fences:
		return fmt.Sprintf("was refused in favour of token %d", s.newer)
	case refuses:
		return fmt.Sprintf("was refused with tail %d", s.next)
	default:
		return fmt.Sprintf("answered tail %d", s.next)
	}
}

// stepOf is the step of an operation; tells is false if its end says nothing about the stream.
func stepOf(o *op, c Complete) (s step, tells bool) {
	s = step{hashes: o.Hashes, match: o.Match, token: o.Token, open: o.Kind == Open}
	switch {
	case c.Outcome == Unknown && o.Kind == Append:
		s.verb, s.optional = appends, true
	case c.Outcome == Failed && c.Code == MatchFailed:
		s.verb, s.next = refuses, c.Tail
	case c.Outcome == Failed && c.Code == Fenced:
		s.verb, s.newer = fences, c.Token
	case c.Outcome != OK:
		return step{}, false
	case o.Kind == Append:
		s.verb, s.pinned, s.first, s.next = appends, true, c.First, c.Next
	case o.Kind == Open:
		s.verb, s.next, s.newer = shows, c.Tail, c.Token
	case o.Kind == Tail:
		s.verb, s.next = shows, c.Tail
	case len(c.Hashes) == 0 && c.First == c.Next && !c.AtTail:
		return step{}, false // a read of nothing that claims nothing
	default:
		s = readOf(c.First, c.Hashes, c.AtTail)
		s.next = c.Next
	}
	return s, true
}

func readOf(first Seq, hashes []Hash, atTail bool) step {
	s := step{verb: reads, first: first, next: first + Seq(len(hashes)), hashes: hashes, atTail: atTail}
	if first == 0 {
		s.chain = chain(0, hashes)
	}
	return s
}

// empty says whether the step is a read that found nothing: its next is at the tail or beyond.
func (s *step) empty() bool { return s.verb == reads && len(s.hashes) == 0 }

func readAll(final []Hash) step { return readOf(0, final, true) }

// state is a stream at one moment. Equal chains mean equal records.
type state struct {
	tail  Seq
	chain uint64
	token Token
	done  int  // steps taken that are not optional
	last  *run // the records, newest first
}

// run is the records of one append.
type run struct {
	before *run
	first  Seq
	hashes []Hash
}

// model is the stream that porcupine compares with. Its state is always one: an optional append may be taken where it
// fits, or at the very end, where nothing can tell.
type model struct {
	total int       // steps that are not optional
	gaps  []between // where no acknowledged append is
	high  Seq       // the highest tail that any step shows
	steps int
	max   int
}

type between struct{ from, to Seq }

func newModel(ops []*linearOp, maxSteps int) *model {
	m := &model{max: maxSteps}
	var taken []between
	for _, o := range ops {
		if !o.optional {
			m.total++
			if !o.empty() {
				m.high = max(m.high, o.next)
			}
		}
		if o.verb == appends && o.pinned {
			taken = append(taken, between{o.first, o.first + Seq(len(o.hashes))})
		}
	}
	slices.SortFunc(taken, func(a, b between) int { return cmp.Compare(a.from, b.from) })
	at := Seq(0)
	for _, t := range taken {
		if t.from > at {
			m.gaps = append(m.gaps, between{at, t.from})
		}
		at = max(at, t.to)
	}
	if at < m.high {
		m.gaps = append(m.gaps, between{at, m.high})
	}
	return m
}

func (m *model) exhausted() bool { return m.steps > m.max }

func (m *model) porcupine() porcupine.Model {
	return porcupine.Model{
		Init:  func() any { return state{} },
		Step:  func(st, in, _ any) (bool, any) { return m.take(st.(state), in.(*step)) },
		Equal: func(a, b any) bool { return a.(state).same(b.(state)) },
		Hash:  func(st any) uint64 { return st.(state).hash() },
	}
}

func (s state) same(o state) bool {
	return s.tail == o.tail && s.chain == o.chain && s.token == o.token && s.done == o.done
}

func (s state) hash() uint64 { return mix(s.chain ^ mix(uint64(s.tail)<<20^uint64(s.token))) }

// take is the transition: whether the step is possible in this state, and the state after it. Out of steps, nothing is
// possible any more and the search ends.
func (m *model) take(st state, s *step) (bool, any) {
	m.steps++
	if m.exhausted() {
		return false, st
	}
	if s.optional {
		return m.perhaps(st, s)
	}
	possible := false
	switch s.verb {
	case appends:
		possible = s.first == st.tail && s.next == st.tail+Seq(len(s.hashes)) && st.allows(s)
		if possible {
			st = st.extended(s)
		}
	case shows:
		possible = s.next == st.tail && (s.newer == 0 && s.token == 0 || st.gives(s))
		st.token = max(st.token, s.newer)
	case reads:
		possible = m.holds(st, s)
	case refuses:
		possible = s.next == st.tail && *s.match != st.tail
	case fences:
		possible = !s.baseless && s.newer >= s.token && (!s.open || s.newer > s.token && s.newer >= st.token)
		st.token = max(st.token, s.newer)
	}
	st.done++
	return possible, st
}

// perhaps takes an optional append where it fits, or as one that never happened once all else is explained.
func (m *model) perhaps(st state, s *step) (bool, any) {
	next := st.tail + Seq(len(s.hashes))
	fits := s.first == st.tail
	if !s.pinned {
		i := sort.Search(len(m.gaps), func(i int) bool { return m.gaps[i].to >= next })
		fits = i < len(m.gaps) && m.gaps[i].from <= st.tail
	}
	if fits && st.allows(s) {
		return true, st.extended(s)
	}
	return st.done == m.total, st
}

// allows says whether the append's condition and token let it happen here.
func (s state) allows(a *step) bool {
	return (a.match == nil || *a.match == s.tail) && (a.token == 0 || a.token >= s.token)
}

// gives says whether the open can be given its token here: what it asked for if that is not older, else a new one.
func (s state) gives(o *step) bool {
	if o.token == 0 {
		return o.newer > s.token
	}
	return o.newer == o.token && o.newer >= s.token
}

func (s state) extended(a *step) state {
	s.last = &run{before: s.last, first: s.tail, hashes: a.hashes}
	s.tail += Seq(len(a.hashes))
	s.chain = chain(s.chain, a.hashes)
	s.token = max(s.token, a.token)
	return s
}

// holds says whether the state has the records that were read. Looking back over many runs costs steps.
func (m *model) holds(st state, s *step) bool {
	if s.empty() {
		return s.first == s.next && st.tail <= s.next
	}
	if s.next != s.first+Seq(len(s.hashes)) || s.next > st.tail || (s.atTail && s.next != st.tail) {
		return false
	}
	if s.first == 0 && s.next == st.tail {
		return s.chain == st.chain
	}
	rest := s.hashes
	for r := st.last; r != nil && len(rest) > 0; r = r.before {
		m.steps++
		end := s.first + Seq(len(rest)) // the last of rest is at end-1
		if r.first >= end {
			continue
		}
		part := r.hashes[:min(end-r.first, Seq(len(r.hashes)))]
		part = part[len(part)-min(len(part), len(rest)):]
		if !slices.Equal(part, rest[len(rest)-len(part):]) {
			return false
		}
		rest = rest[:len(rest)-len(part)]
	}
	return true
}

// chain folds hashes into one that stands for them all, in their order.
func chain(c uint64, hashes []Hash) uint64 {
	for _, h := range hashes {
		c = mix(c + mix(uint64(h)))
	}
	return c
}

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
