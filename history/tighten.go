package history

import (
	"cmp"
	"math"
	"slices"
)

// span is what a step does to the tail: from low to high. A step that shows the tail does not move it.
type span struct{ low, high Seq }

func (s span) compare(o span) int {
	return cmp.Or(cmp.Compare(s.low, o.low), cmp.Compare(s.high, o.high))
}

// span is that of a step which pins the tail on both sides; false for others. That of an optional step holds if it happened.
func (o *linearOp) span() (span, bool) {
	switch {
	case o.verb == appends && o.pinned:
		return span{o.first, o.first + Seq(len(o.hashes))}, true
	case o.optional:
		return span{}, false
	case o.verb == shows, o.verb == refuses, o.verb == reads && o.atTail && !o.empty():
		return span{o.next, o.next}, true
	default:
		return span{}, false
	}
}

// tighten narrows the time in which each step can have taken place, by the answers alone: the tail only grows, so of two
// steps the one with the lower span came first. A step then neither begins before one that it follows began, nor ends
// after one that it precedes ended. This excludes no order that explains the answers, and leaves the search hardly any
// other to try.
//
// An optional step may never have happened, so nothing is narrowed by it; but if it happened, it followed what is below it.
// A read that found nothing changes nothing and only wants the tail to be low, so it takes place as soon as it is asked for;
// what shows a higher tail came after it. A refused append in favour of a newer token wants nothing of the stream, and from then
// on older tokens append no more: it takes place when its answer comes.
func tighten(ops []*linearOp) {
	var placed, nothing []*linearOp
	for _, o := range ops {
		o.from, o.to, o.rank = o.call, o.end, 0
		if _, ok := o.span(); ok {
			placed = append(placed, o)
		} else if o.empty() {
			o.to = o.from
			nothing = append(nothing, o)
		} else if o.verb == fences && !o.open {
			o.from = o.to
		}
	}
	slices.SortStableFunc(placed, func(a, b *linearOp) int {
		one, _ := a.span()
		other, _ := b.span()
		return one.compare(other)
	})
	slices.SortStableFunc(nothing, func(a, b *linearOp) int { return cmp.Compare(a.next, b.next) })
	for i, o := range placed {
		o.rank = 1 + i // behind the reads that found nothing
	}
	groups := grouped(placed)
	raise(groups, nothing)
	lower(groups)
	follow(ops, placed)
}

// raise moves the begins: no step begins before one that it follows, or a read that found nothing where it shows more.
func raise(groups [][]*linearOp, nothing []*linearOp) {
	low := int64(math.MinInt64)
	for _, g := range groups {
		at, _ := g[0].span()
		for len(nothing) > 0 && nothing[0].next < at.high {
			low = max(low, nothing[0].from)
			nothing = nothing[1:]
		}
		next := low
		for _, o := range g {
			o.from = max(o.from, low)
			if !o.optional {
				next = max(next, o.from)
			}
		}
		low = next
	}
}

// lower moves the ends: no step ends after one that it precedes.
func lower(groups [][]*linearOp) {
	high := int64(math.MaxInt64)
	for _, g := range slices.Backward(groups) {
		next := high
		for _, o := range g {
			if !o.optional {
				o.to = min(o.to, high)
				next = min(next, o.to)
			}
		}
		high = next
	}
}

// grouped cuts sorted steps into runs of one span, which may have come in any order.
func grouped(placed []*linearOp) [][]*linearOp {
	var groups [][]*linearOp
	var last span
	for _, o := range placed {
		at, _ := o.span()
		if len(groups) == 0 || at != last {
			groups, last = append(groups, nil), at
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], o)
	}
	return groups
}

// follow has each read within the stream come after the appends that it shows.
func follow(ops, placed []*linearOp) {
	moves := slices.DeleteFunc(slices.Clone(placed), func(o *linearOp) bool { return o.verb != appends })
	for _, o := range ops {
		if o.verb != reads || o.empty() {
			continue
		}
		if _, ok := o.span(); ok {
			continue
		}
		i, _ := slices.BinarySearchFunc(moves, o.next, func(m *linearOp, next Seq) int { return cmp.Compare(m.first, next) })
		if i > 0 {
			o.from = max(o.from, moves[i-1].from)
			o.rank = moves[i-1].rank
		}
	}
}
