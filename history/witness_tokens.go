package history

import (
	"cmp"
	"fmt"
	"slices"
)

// tokens is what the witness check knows of the fencing tokens of one stream.
type tokens struct {
	known  map[Token]bool // asked for or given by some operation invoked so far
	anyNew bool           // an open without a token was invoked: it may have taken any
	opens  []placed       // answered opens; first and next are both the tail
}

// tokenFloor is a fencing token that is certainly in force, and the operation that proves it.
type tokenFloor struct {
	token Token
	by    Ref
}

func (f tokenFloor) raise(token Token, by Ref) tokenFloor {
	if token > f.token {
		return tokenFloor{token, by}
	}
	return f
}

func (f tokenFloor) String() string { return f.in(nil) }

func (f tokenFloor) in(names Names) string {
	return fmt.Sprintf("%s had shown token %d", f.by.in(names), f.token)
}

func (t *tokens) asked(o *op) {
	if t.known == nil {
		t.known = map[Token]bool{}
	}
	if o.Token != 0 {
		t.known[o.Token] = true
	}
	t.anyNew = t.anyNew || (o.Kind == Open && o.Token == 0)
}

// opened judges an answered open: a linearizable tail, and a token that is now in force.
func (s *stream) opened(o *op, c Complete) {
	by := o.ref()
	if o.Token != 0 && c.Token != o.Token {
		s.violate(Superseded, []Ref{by}, "%s asked for token %d and was given token %d", by, o.Token, c.Token)
		return
	}
	if c.Token != 0 && c.Token < o.tokenFloor.token {
		s.violate(Superseded, []Ref{by, o.tokenFloor.by}, "%s was given token %d, although %s before it was invoked", by, c.Token, o.tokenFloor)
		return
	}
	if !s.sight(floor{c.Tail, by, answered}, o) {
		return
	}
	s.tokenFloor = s.tokenFloor.raise(c.Token, by)
	s.tokens.opens = append(s.tokens.opens, placed{c.Tail, c.Tail, c.Token, by})
}

// fenced judges an operation that failed because another producer has the stream. An open is refused by the token of that
// moment. An append is told the token to which its producer lost the stream, be it long ago: one that is newer, or its own,
// with which the same producer came back.
func (s *stream) fenced(o *op, c Complete) {
	by := o.ref()
	switch {
	case c.Token < o.Token || o.Kind == Open && c.Token == o.Token:
		s.violate(Superseded, []Ref{by}, "%s with token %d was refused in favour of token %d, which is not newer", by, o.Token, c.Token)
	case o.Kind == Open && c.Token < o.tokenFloor.token:
		s.violate(Superseded, []Ref{by, o.tokenFloor.by}, "%s was refused in favour of token %d, although %s before it was invoked",
			by, c.Token, o.tokenFloor)
	case !s.tokens.anyNew && !s.tokens.known[c.Token]:
		s.violate(UnknownToken, []Ref{by}, "%s was refused in favour of token %d, which no producer had asked for", by, c.Token)
	default:
		s.tokenFloor = s.tokenFloor.raise(c.Token, by)
	}
}

// checkTokens judges the tokens along the stream: they never decrease. An open stands after the appends that its tail
// shows and before all others.
func (s *stream) checkTokens() {
	line := slices.Clone(s.tokens.opens)
	for _, p := range s.placed {
		if p.token != 0 {
			line = append(line, p)
		}
	}
	slices.SortStableFunc(line, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.next, b.next), cmp.Compare(a.first, b.first), cmp.Compare(a.token, b.token))
	})
	var newest placed
	for _, p := range line {
		if p.token >= newest.token {
			newest = p
			continue
		}
		if p.token == 0 {
			continue // an open of a stream that takes many producers
		}
		s.violate(Superseded, []Ref{p.by, newest.by}, "%s with token %d stands at seq %d, after token %d of %s", p.by, p.token, p.first, newest.token, newest.by)
	}
}
