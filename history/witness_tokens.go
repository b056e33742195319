package history

import (
	"cmp"
	"fmt"
	"slices"
)

// tokens is what the witness check knows of the fencing tokens of one stream.
type tokens struct {
	origins
	opens []turn // answered opens; first and next are both the tail
}

// turn is where an operation with a token stands along the stream.
type turn struct {
	placed
	anew bool // an open without a token: it took one that nobody had before
}

// compare puts an open after the appends that its tail shows and before all others. Of opens with one tail and one token, the
// one that took it comes first, then those of the same producer coming back.
func (t turn) compare(o turn) int {
	first := func(t turn) int {
		if t.anew {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(t.next, o.next), cmp.Compare(t.first, o.first), cmp.Compare(t.token, o.token), cmp.Compare(first(t), first(o)))
}

// follows says whether it may stand after the token.
func (t turn) follows(token Token) bool {
	return t.token > token || t.token == token && !t.anew
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

// opened judges an answered open: a linearizable tail, and a token that is now in force.
func (s *stream) opened(o *op, c Complete) {
	by := o.ref()
	if o.Token != 0 && c.Token != o.Token {
		s.violate(Superseded, []Ref{by}, "%s asked for token %d and was given token %d", by, o.Token, c.Token)
		return
	}
	at := turn{placed{c.Tail, c.Tail, c.Token, by}, o.Token == 0}
	if c.Token != 0 && !at.follows(o.tokenFloor.token) {
		s.violate(Superseded, []Ref{by, o.tokenFloor.by}, "%s was given token %d, although %s before it was invoked", by, c.Token, o.tokenFloor)
		return
	}
	if !s.sight(floor{c.Tail, by, answered}, o) {
		return
	}
	s.tokenFloor = s.tokenFloor.raise(c.Token, by)
	s.tokens.opens = append(s.tokens.opens, at)
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
	default:
		s.tokens.refused(o, c)
		s.tokenFloor = s.tokenFloor.raise(c.Token, by)
	}
}

// checkTokens judges where tokens come from, and the tokens along the stream: they never decrease, and an open that takes the next one takes one that no
// open or append before it had.
func (s *stream) checkTokens() {
	for _, d := range s.tokens.unexplained() {
		s.violate(UnknownToken, []Ref{d.by}, "%s was refused in favour of token %d, which no producer had asked for or can have taken", d.by, d.token)
	}
	line := slices.Clone(s.tokens.opens)
	for _, p := range s.placed {
		if p.token != 0 {
			line = append(line, turn{placed: p})
		}
	}
	slices.SortStableFunc(line, turn.compare)
	var newest turn
	for _, p := range line {
		if p.follows(newest.token) {
			newest = p
			continue
		}
		switch {
		case p.token == 0: // an open of a stream that takes many producers
		case p.anew:
			s.violate(Superseded, []Ref{p.by, newest.by}, "%s took the next token at seq %d and was given %d, after token %d of %s",
				p.by, p.first, p.token, newest.token, newest.by)
		default:
			s.violate(Superseded, []Ref{p.by, newest.by}, "%s with token %d stands at seq %d, after token %d of %s",
				p.by, p.token, p.first, newest.token, newest.by)
		}
	}
}
