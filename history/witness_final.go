package history

import (
	"cmp"
	"slices"
	"sort"
)

// placeAcknowledged orders the acknowledged appends and leaves out those that claim seqs of another.
func (s *stream) placeAcknowledged() {
	slices.SortStableFunc(s.placed, func(a, b placed) int { return cmp.Compare(a.first, b.first) })
	kept := s.placed[:0]
	for _, p := range s.placed {
		if n := len(kept); n > 0 && kept[n-1].next > p.first {
			s.violate(DoubleAck, []Ref{kept[n-1].by, p.by}, "%s and %s were both acknowledged at seq %d", kept[n-1].by, p.by, p.first)
			continue
		}
		kept = append(kept, p)
	}
	s.placed = kept
}

// placeAll finds the place of every append in the final contents. What is left over and so should not be there is
// returned: nil if nothing is.
func (s *stream) placeAll() *suspects {
	s.placeAcknowledged()
	lost, ambiguous := s.unknownByFirst()
	if ambiguous {
		s.undecide("two appends with unknown outcome begin with records of the same hash, so it cannot be told which of them is there; " +
			"give each record a body of its own")
		return nil
	}
	var left *suspects
	found := make([]placed, 0, len(lost))
	at := Seq(0)
	gap := func(end Seq) {
		for at < end {
			p, ok := s.placeUnknown(lost, at, end)
			if ok {
				found = append(found, p)
				at = p.next
				continue
			}
			left = left.add(s.final[at], at)
			at++
		}
	}
	for _, p := range s.placed {
		gap(p.first)
		at = p.next
	}
	gap(Seq(len(s.final)))
	s.placed = append(s.placed, found...)
	slices.SortFunc(s.placed, func(a, b placed) int { return cmp.Compare(a.first, b.first) })
	return left
}

// lostAppend is an append with unknown outcome and where it was found.
type lostAppend struct {
	op    *op
	found bool
}

// unknownByFirst is the appends with unknown outcome by the hash of their first record; ambiguous if two share it and it
// is in the final contents.
func (s *stream) unknownByFirst() (lost map[Hash]*lostAppend, ambiguous bool) {
	lost = make(map[Hash]*lostAppend, len(s.unknown))
	shared := map[Hash]bool{}
	for _, o := range s.unknown {
		h := o.Hashes[0]
		shared[h] = lost[h] != nil
		lost[h] = &lostAppend{op: o}
	}
	for _, h := range s.final {
		ambiguous = ambiguous || shared[h]
	}
	return lost, ambiguous
}

// placeUnknown says which append with unknown outcome stands whole at seq at, before end.
func (s *stream) placeUnknown(lost map[Hash]*lostAppend, at, end Seq) (placed, bool) {
	l := lost[s.final[at]]
	if l == nil || l.found {
		return placed{}, false // a second one of the same is a suspect: blame tells
	}
	o := l.op
	next := at + Seq(len(o.Hashes))
	if next > end || !slices.Equal(s.final[at:next], o.Hashes) {
		return placed{}, false
	}
	l.found = true
	s.inPlace(o, at, "is found at")
	return placed{at, next, o.Token, o.ref()}, true
}

// checkSightings judges that each tail that was answered lies between two appends.
func (s *stream) checkSightings() {
	for _, seen := range s.sightings {
		i := sort.Search(len(s.placed), func(i int) bool { return s.placed[i].next > seen.tail })
		if i < len(s.placed) && s.placed[i].first < seen.tail {
			p := s.placed[i]
			s.violate(TornBatch, []Ref{seen.by, p.by}, "%s, inside %s, which stands at %s", said(seen), p.by, seqs(p.first, p.next))
		}
	}
}
