package shrink

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/novastream/nova/sim/scenario"
	"github.com/novastream/nova/sim/script"
)

// smaller takes one pass after the other until none makes the run smaller. It says whether it came to that.
func (s *search) smaller(acts []script.Act) bool {
	s.try("first come first served", s.with(func(c *script.Script) { c.Acts = acts }))
	if s.best.Script == nil && !s.try("script", s.with(func(c *script.Script) { c.Acts, c.Choices = acts, script.Everything() })) {
		return false
	}
	for {
		before := sizeOf(s.found)
		s.odds()
		s.end()
		s.groups()
		s.eachAct()
		s.inTurn()
		s.streams()
		s.stars()
		s.gaps()
		s.duration()
		s.choices()
		if !s.More() {
			return false
		}
		if sizeOf(s.found) == before && !s.patiently(before) {
			return s.More()
		}
	}
}

// patiently looks once more for what only bad luck has kept, and says whether there was anything.
func (s *search) patiently(before Size) bool {
	s.patient = true
	s.eachAct()
	s.streams()
	s.stars()
	s.patient = false
	return sizeOf(s.found) != before
}

// odds learns how often the same acts fail when the dice are thrown anew.
func (s *search) odds() {
	const most = 8
	failed, best, found := 1, s.best, s.found
	for range most {
		if s.first([]scenario.Options{s.thrown(best)}) == 0 {
			failed++
		}
	}
	s.best, s.found = best, found
	s.took = []int{(most + failed) / failed}
}

// with is the best run with its script changed.
func (s *search) with(change func(*script.Script)) scenario.Options {
	o, c := s.best, script.Script{}
	if o.Script != nil {
		c = *o.Script
	}
	change(&c)
	o.Script = &c
	return o
}

// tryActs tries to do with these acts; those that belong to one that is left out are left out as well.
func (s *search) tryActs(doing string, acts []script.Act) bool {
	type name struct {
		line string
		n    int
	}
	there := map[name]bool{}
	for _, a := range acts {
		there[name{a.Line, a.N}] = there[name{a.Line, a.N}] || a.Sub == 0
	}
	kept := slices.DeleteFunc(slices.Clone(acts), func(a script.Act) bool { return !there[name{a.Line, a.N}] })
	return s.try(doing, s.with(func(c *script.Script) { c.Acts = kept }))
}

// end leaves out what comes after the failure.
func (s *search) end() {
	acts := s.best.Script.Acts
	leastOf(len(acts), len(acts)/100, s.More, func(n int) bool { return s.tryActs("the end", acts[:n]) })
	s.duration()
}

// groups leaves out all acts of a kind, of a line, of an actor, the largest groups first.
func (s *search) groups() {
	kind := func(a script.Act) string {
		words := strings.Fields(a.Line)
		if a.IsFault() {
			return words[0] + " " + words[1]
		}
		return "clients " + strings.Join(words[1:], " ")
	}
	for _, of := range []func(script.Act) string{kind, script.Act.Actor, func(a script.Act) string { return a.Line }} {
		counts := map[string]int{}
		for _, a := range s.best.Script.Acts {
			counts[of(a)]++
		}
		names := slices.Sorted(maps.Keys(counts))
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
		for _, name := range names {
			s.tryActs("without "+name, slices.DeleteFunc(slices.Clone(s.best.Script.Acts), func(a script.Act) bool { return of(a) == name }))
		}
	}
}

// eachAct leaves out ever smaller groups of neighbours in time, down to single acts: first such as belong to no other, then what
// belongs to those that are left.
func (s *search) eachAct() {
	var own, belonging []script.Act
	for _, a := range s.best.Script.Acts {
		if a.Sub == 0 {
			own = append(own, a)
		} else {
			belonging = append(belonging, a)
		}
	}
	merged := func(a, b []script.Act) []script.Act {
		all := slices.Concat(a, b)
		slices.SortStableFunc(all, script.Act.Compare)
		return all
	}
	own = minimize(own, s.More, func(some []script.Act) bool { return s.tryActs("acts", merged(some, belonging)) })
	belonging = slices.DeleteFunc(slices.Clone(s.best.Script.Acts), func(a script.Act) bool { return a.Sub == 0 })
	minimize(belonging, s.More, func(some []script.Act) bool { return s.tryActs("batches", merged(own, some)) })
}

// inTurn has all tasks come first come first served.
func (s *search) inTurn() {
	if len(s.best.Script.Choices) > 0 {
		s.try("first come first served", s.with(func(c *script.Script) { c.Choices = nil }))
	}
}

// streams leaves out streams. The oddities ask of the first one.
func (s *search) streams() {
	var all []int
	for i := range s.best.Streams {
		if s.best.Script.HasStream(i) {
			all = append(all, i)
		}
	}
	minimize(all, s.More, func(some []int) bool {
		return len(some) > 0 && s.try("streams", s.with(func(c *script.Script) { c.Streams = some }))
	})
}

// stars does with fewer stars, and with fewer zones.
func (s *search) stars() {
	for n := range s.best.Stars {
		o := s.best
		o.Stars = n
		if n > 0 && s.try("stars", o) {
			break
		}
	}
	for _, n := range []int{1, 3} {
		o := s.best
		o.Zones = n
		if n < s.best.Zones && s.try("zones", o) {
			break
		}
	}
}

// gaps shortens the time before the first act and between two.
func (s *search) gaps() {
	for i := 0; i < len(s.best.Script.Acts) && s.More(); i++ {
		for wait := s.gap(i); wait > time.Second; {
			if !s.closer(i, wait-wait/4) && !s.closer(i, wait/2) {
				break
			}
			shorter := s.gap(i)
			if shorter >= wait {
				break
			}
			wait = shorter
		}
	}
}

// gap is the time before an act, since the one before it.
func (s *search) gap(i int) time.Duration {
	acts := s.best.Script.Acts
	if i == 0 {
		return acts[0].At
	}
	return acts[i].At - acts[i-1].At
}

// closer moves an act and all later ones by so much towards the start.
func (s *search) closer(i int, by time.Duration) bool {
	acts := slices.Clone(s.best.Script.Acts)
	for j := i; j < len(acts); j++ {
		acts[j].At -= by
	}
	o := s.with(func(c *script.Script) { c.Acts = acts })
	o.Duration = max(o.Duration-by, time.Second)
	return s.try("time", o)
}

// duration ends the work soon after the last act, or as soon as it can.
func (s *search) duration() {
	last := time.Duration(0)
	for _, a := range s.best.Script.Acts {
		last = max(last, a.At)
	}
	for _, after := range []time.Duration{time.Second, 5 * time.Second, 15 * time.Second, time.Minute} {
		o := s.best
		o.Duration = (last + after).Truncate(time.Second)
		if o.Duration < s.best.Duration && s.try("duration", o) {
			return
		}
	}
	leastOf(int(s.best.Duration/time.Second), int(s.best.Duration/(8*time.Second)), s.More, func(seconds int) bool {
		o := s.best
		o.Duration = time.Duration(seconds) * time.Second
		return seconds > 0 && o.Duration > last && s.try("duration", o)
	})
}

// choices leaves ever fewer choices of the scheduler to chance.
func (s *search) choices() {
	if len(s.best.Script.Choices) == 0 {
		return
	}
	set := func(r script.Ranges) bool {
		return s.try("choices", s.with(func(c *script.Script) { c.Choices = r }))
	}
	all := pieces(s.best.Script.Choices, s.found.Choices)
	minimize(all, s.More, func(some []script.Range) bool { return set(some) })
}

// pieces cuts ranges below limit into a number of pieces that can be tried one by one.
func pieces(all script.Ranges, limit uint64) []script.Range {
	const most = 256
	size := max(all.Below(limit)/most, 1)
	var cut []script.Range
	for _, r := range all {
		for from := r.From; from < min(r.To, limit); from += size {
			cut = append(cut, script.Range{From: from, To: min(from+size, r.To)})
		}
	}
	return cut
}
