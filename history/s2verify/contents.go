package s2verify

import (
	"cmp"
	"slices"

	"github.com/novastream/nova/history"
)

// contents is what a stream held at the end, as far as it can be told.
type contents struct {
	known bool
	all   []history.Hash
	folds []uint64 // up to each seq
}

// span is an append that has its place.
type span struct {
	first, next uint64
	hashes      []uint64
}

// maxTries bounds the search for the places of appends of unknown outcome.
const maxTries = 1_000_000

// resolve puts the contents together: acknowledged appends stand where they were told, and between them stand appends of
// unknown outcome, of which the tails that were answered and the folds of reads say which. Those beyond the last tail that
// anybody saw were seen by nobody, and count as never happened.
func resolve(ops []*operation) *contents {
	s := &search{folds: map[uint64]uint64{}, tails: map[uint64]bool{0: true}}
	var end uint64
	for _, o := range ops {
		if o.Event.Start.batch != nil && (o.ended == nil || o.ended.word == nobodyKnows) {
			s.unknown = append(s.unknown, o.Event.Start.batch.Hashes)
		}
		if o.ended == nil || o.ended.word != appended && o.ended.word != readDone && o.ended.word != tailDone {
			continue
		}
		tail := o.ended.tail
		end = max(end, tail)
		s.tails[tail] = true
		if o.ended.word == readDone {
			s.folds[tail] = o.ended.fold
		}
		if o.ended.word == appended {
			b := o.Event.Start.batch
			s.tails[tail-b.Records] = true
			s.placed = append(s.placed, span{tail - b.Records, tail, b.Hashes})
		}
	}
	slices.SortFunc(s.placed, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	s.used = make([]bool, len(s.unknown))
	s.end = end
	c := &contents{folds: []uint64{0}}
	if !s.fill(0, 0, 0) && !s.fillAnyhow() {
		return c
	}
	c.known = true
	for _, hashes := range s.line {
		for _, h := range hashes {
			c.all = append(c.all, history.Hash(h))
			c.folds = append(c.folds, fold(c.folds[len(c.folds)-1], history.Hash(h)))
		}
	}
	return c
}

// search looks for a line of appends that explains what was answered.
type search struct {
	placed  []span
	unknown [][]uint64
	used    []bool
	folds   map[uint64]uint64 // of reads, by tail
	tails   map[uint64]bool   // that were answered: no append stands across one
	end     uint64
	line    [][]uint64
	tries   int
}

// fill goes on from a seq, with the fold up to it and the next acknowledged append.
func (s *search) fill(at, folded uint64, next int) bool {
	if s.tries++; s.tries > maxTries {
		return false
	}
	if want, seen := s.folds[at]; seen && want != folded {
		return false
	}
	if at == s.end {
		return true
	}
	if next < len(s.placed) && s.placed[next].first == at {
		return s.put(s.placed[next].hashes, at, folded, next+1)
	}
	if next < len(s.placed) && s.placed[next].first < at {
		return false // two were acknowledged at one seq
	}
	for i, hashes := range s.unknown {
		if s.used[i] || !s.fits(at, uint64(len(hashes)), next) {
			continue
		}
		s.used[i] = true
		if s.put(hashes, at, folded, next) {
			return true
		}
		s.used[i] = false
	}
	return false
}

// fillAnyhow looks for a line that explains the answers but for the folds of reads, once it is certain that none explains these
// too: then the records of some read are wrong.
func (s *search) fillAnyhow() bool {
	if s.tries > maxTries {
		return false
	}
	s.tries, s.folds = 0, nil
	return s.fill(0, 0, 0)
}

// fits says whether an append of so many records may stand at a seq.
func (s *search) fits(at, records uint64, next int) bool {
	limit := s.end
	if next < len(s.placed) {
		limit = s.placed[next].first
	}
	for seq := at + 1; seq < at+records && seq <= limit; seq++ {
		if s.tails[seq] {
			return false
		}
	}
	return at+records <= limit
}

func (s *search) put(hashes []uint64, at, folded uint64, next int) bool {
	for _, h := range hashes {
		folded = fold(folded, history.Hash(h))
	}
	s.line = append(s.line, hashes)
	if s.fill(at+uint64(len(hashes)), folded, next) {
		return true
	}
	s.line = s.line[:len(s.line)-1]
	return false
}

// read are the records that a read saw: the contents up to its tail. One whose fold is another saw something else: its last
// record is given as one that nobody appended.
func (c *contents) read(f *finish) []history.Hash {
	seen := c.all[:f.tail]
	if c.folds[f.tail] == f.fold {
		return seen
	}
	if f.tail == 0 {
		return nil // of no records the fold is 0; which record it saw instead cannot be told
	}
	wrong := slices.Clone(seen)
	wrong[f.tail-1] = history.Hash(f.fold)
	return wrong
}
