package script

import "sort"

// Range is the numbers from From on, before To.
type Range struct {
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
}

// Ranges are numbers as ranges in order that do not touch.
type Ranges []Range

// Everything is all numbers.
func Everything() Ranges { return Ranges{{0, ^uint64(0)}} }

// Has says whether n is in one of the ranges.
func (r Ranges) Has(n uint64) bool {
	i := sort.Search(len(r), func(i int) bool { return r[i].To > n })
	return i < len(r) && r[i].From <= n
}

// Below counts the numbers in the ranges below limit.
func (r Ranges) Below(limit uint64) (n uint64) {
	for _, one := range r {
		if one.From < limit {
			n += min(one.To, limit) - one.From
		}
	}
	return n
}
