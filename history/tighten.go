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

// span is that of a step which pins the tail on both sides; false for others.
func (o *linearOp) span() (span, bool) {
	switch {
	case o.optional:
		return span{}, false
	case o.verb == appends:
		return span{o.first, o.next}, true
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
func tighten(ops []*linearOp) {
	for _, o := range ops {
		o.from, o.to = o.call, o.end
	}
	pinned := slices.DeleteFunc(slices.Clone(ops), func(o *linearOp) bool {
		_, ok := o.span()
		return !ok
	})
	slices.SortStableFunc(pinned, func(a, b *linearOp) int {
		one, _ := a.span()
		other, _ := b.span()
		return one.compare(other)
	})
	groups := grouped(pinned)
	low := int64(math.MinInt64)
	for _, g := range groups {
		next := low
		for _, o := range g {
			o.from = max(o.from, low)
			next = max(next, o.from)
		}
		low = next
	}
	high := int64(math.MaxInt64)
	for _, g := range slices.Backward(groups) {
		next := high
		for _, o := range g {
			o.to = min(o.to, high)
			next = min(next, o.to)
		}
		high = next
	}
	for i, o := range pinned {
		o.rank = i
	}
	bound(ops, pinned)
}

// grouped cuts sorted steps into runs of one span, which may have come in any order.
func grouped(pinned []*linearOp) [][]*linearOp {
	var groups [][]*linearOp
	var last span
	for _, o := range pinned {
		at, _ := o.span()
		if len(groups) == 0 || at != last {
			groups, last = append(groups, nil), at
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], o)
	}
	return groups
}

// bound narrows the steps that bound the tail on one side: a read within the stream comes after the appends that it shows,
// one that found nothing comes before those that are beyond it.
func bound(ops, pinned []*linearOp) {
	moves := slices.DeleteFunc(slices.Clone(pinned), func(o *linearOp) bool { return o.verb != appends })
	for _, o := range ops {
		if o.optional || o.verb != reads {
			continue
		}
		if _, ok := o.span(); ok {
			continue
		}
		i, _ := slices.BinarySearchFunc(moves, o.next, func(m *linearOp, next Seq) int { return cmp.Compare(m.first, next) })
		switch {
		case o.empty() && i > 0 && moves[i-1].next > o.next: // that one covers where nothing was found
			o.to = min(o.to, moves[i-1].to)
		case o.empty() && i < len(moves):
			o.to = min(o.to, moves[i].to)
		case !o.empty() && i > 0:
			o.from = max(o.from, moves[i-1].from)
			o.rank = moves[i-1].rank
		}
	}
}
