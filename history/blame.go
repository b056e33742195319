package history

import (
	"maps"
	"slices"
)

// maxSuspects bounds the records of one stream whose origin is looked for.
const maxSuspects = 100

// suspects is the records of one stream's final contents that no append explains.
type suspects struct {
	at     map[Hash][]Seq
	listed int
	more   int // beyond maxSuspects
}

func (s *suspects) add(h Hash, at Seq) *suspects {
	if s == nil {
		s = &suspects{at: map[Hash][]Seq{}}
	}
	if s.listed == maxSuspects {
		s.more++
		return s
	}
	s.at[h] = append(s.at[h], at)
	s.listed++
	return s
}

// blame goes through the history once more, to tell whose records the suspects are.
func (w *witness) blame(source Source, all map[string]*suspects) error {
	if len(all) == 0 {
		return nil
	}
	type appended struct {
		hashes []Hash
		stream *stream
		of     *suspects
	}
	open := map[opKey]appended{}
	judge := func(a appended, by Ref, outcome Outcome) {
		for _, h := range a.hashes {
			for _, at := range a.of.at[h] {
				a.stream.accuse(by, outcome, at)
			}
			delete(a.of.at, h)
		}
	}
	for e, err := range source.Events() {
		if err != nil {
			return err
		}
		switch e := e.(type) {
		case Invoke:
			if of := all[e.Stream]; e.Kind == Append && of != nil && of.holdsAny(e.Hashes) {
				open[opKey{e.Client, e.Op}] = appended{e.Hashes, w.byName[e.Stream], of}
			}
		case Complete:
			if a, ok := open[opKey{e.Client, e.Op}]; ok {
				judge(a, e.ref(), e.Outcome)
				delete(open, opKey{e.Client, e.Op})
			}
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(open), opKey.compare) {
		judge(open[key], Ref{key.client, key.op, Append}, Unknown)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		w.byName[name].disown(all[name])
	}
	return nil
}

func (s *suspects) holdsAny(hashes []Hash) bool {
	return slices.ContainsFunc(hashes, func(h Hash) bool { return s.at[h] != nil })
}

// accuse says why the record of a known append should not be where it is.
func (s *stream) accuse(by Ref, outcome Outcome, at Seq) {
	if outcome == Failed {
		s.violate(FailedPresent, []Ref{by}, "the final contents have at seq %d a record of %s, which had failed definitely", at, by)
		return
	}
	i := slices.IndexFunc(s.placed, func(p placed) bool { return p.by == by })
	switch {
	case i >= 0:
		p := s.placed[i]
		s.violate(Duplicate, []Ref{by}, "the final contents have at seq %d a record of %s once more; the append stands at %s", at, by, seqs(p.first, p.next))
	case outcome == OK:
		s.violate(LostAck, []Ref{by}, "the final contents have at seq %d a record of %s, which was acknowledged at another place", at, by)
	default:
		s.violate(TornBatch, []Ref{by}, "the final contents have at seq %d a record of %s, but not its whole batch in order", at, by)
	}
}

// disown reports the records that nobody appended.
func (s *stream) disown(left *suspects) {
	var at []Seq
	for _, h := range slices.Sorted(maps.Keys(left.at)) {
		at = append(at, left.at[h]...)
	}
	slices.Sort(at)
	for _, seq := range at {
		s.violate(Foreign, nil, "the final contents have at seq %d a record that nobody appended", seq)
	}
	if left.more > 0 {
		s.violate(Foreign, nil, "%d more records of the final contents belong to no append", left.more)
	}
}
