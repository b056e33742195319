package history

import (
	"maps"
	"slices"
)

// origins is where the fencing tokens of one stream can have come from. A token exists because an operation asked for it, or
// because an open without a token took it: the next after the one in force.
//
// Such an open may take more tokens than the one it is given, for a client tries again inside of one open, and a network may
// deliver a request again. What it took before it was answered lies below what it was given. While it has no answer, and for good
// where it never gets one, be it lost or a failure, it may have taken any number.
type origins struct {
	known  map[Token]bool // asked for or given so far
	takers []taker
	open   map[Ref]int // those of the takers that have not ended
	doubts map[Token]doubt
}

// taker is an open without a token.
type taker struct {
	after    Token // certainly in force when it was invoked
	given    Token
	answered bool
}

// doubt is the first refusal in favour of a token that was not known when it ended.
type doubt struct {
	token  Token
	by     Ref
	takers int // those invoked by then
}

// repeats is how many tokens an open that was answered may have taken after that, by requests of it that arrived again or late.
// More than that is taken for a fault of the stream.
const repeats = 3

func (g *origins) invoked(o *op) {
	if g.known == nil {
		g.known, g.open, g.doubts = map[Token]bool{}, map[Ref]int{}, map[Token]doubt{}
	}
	switch {
	case o.Token != 0:
		g.known[o.Token] = true
	case o.Kind == Open:
		g.open[o.ref()] = len(g.takers)
		g.takers = append(g.takers, taker{after: o.tokenFloor.token})
	}
}

// ended takes the answer of an open.
func (g *origins) ended(o *op, c Complete) {
	i, ok := g.open[o.ref()]
	delete(g.open, o.ref())
	if !ok || c.Outcome != OK {
		return
	}
	g.takers[i].given, g.takers[i].answered = c.Token, true
	if c.Token != 0 {
		g.known[c.Token] = true
	}
}

// refused takes the token in favour of which an operation was refused.
func (g *origins) refused(o *op, c Complete) {
	if _, ok := g.doubts[c.Token]; !ok && !g.known[c.Token] {
		g.doubts[c.Token] = doubt{c.Token, o.ref(), len(g.takers)}
	}
}

// unexplained is the refusals in favour of a token that no operation invoked by then can have brought, in the order of the
// tokens. Only the end tells: an open that had taken a token is often answered after those whom it fences.
func (g *origins) unexplained() []doubt {
	known := slices.Sorted(maps.Keys(g.known))
	var left []doubt
	for _, token := range slices.Sorted(maps.Keys(g.doubts)) {
		d := g.doubts[token]
		below := Token(0)
		if i, _ := slices.BinarySearch(known, token); i > 0 {
			below = known[i-1]
		}
		if !explains(g.takers[:d.takers], token, below) {
			left = append(left, d)
		}
	}
	return left
}

// explains says whether one of the opens can have taken the token. Those that were given one below it can have done so together,
// one by one from the highest known token below it.
func explains(takers []taker, token, below Token) bool {
	late := Token(0)
	for _, t := range takers {
		if t.after < token && (!t.answered || token <= t.given) {
			return true
		}
		if t.given != 0 && t.given < token {
			late += repeats
		}
	}
	return late > 0 && token-below <= late
}
