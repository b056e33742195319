package planted

import "slices"

// Set is a set of planted bugs.
type Set struct{ bits [(bugs + 63) / 64]uint64 }

// Of is the set of these bugs.
func Of(all ...Bug) (s Set) {
	for _, b := range all {
		s = s.With(b)
	}
	return s
}

// Has says whether the bug is planted.
func (s Set) Has(b Bug) bool { return s.bits[b/64]&(1<<(b%64)) != 0 }

// With is the set with the bug added.
func (s Set) With(b Bug) Set {
	s.bits[b/64] |= 1 << (b % 64)
	return s
}

// All are the bugs, in order.
func All() []Bug {
	all := make([]Bug, bugs)
	for i := range all {
		all[i] = Bug(i)
	}
	return all
}

// Parse finds a bug by its name.
func Parse(name string) (Bug, bool) {
	i := slices.IndexFunc(table[:], func(e entry) bool { return e.name == name })
	return Bug(max(i, 0)), i >= 0
}
