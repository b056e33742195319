package history

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// linear collects the operations of each stream, as far as the bounds go, and asks porcupine whether some order explains
// them.
//
// Where a bound cuts the history off, an operation that had not completed by then is treated as one with unknown outcome: the
// part before the cut of a linearizable history is linearizable. Ordinary reads are left out; they promise less.
type linear struct {
	cfg     Config
	witness *witness // for the final contents, which join as one more read
	byName  map[string]*linearStream
	clock   int64 // events so far: real time
	counts  Counts
}

type linearStream struct {
	sink
	origins
	ops     []*linearOp
	under   map[*op]*linearOp
	cut     bool // the bound was reached
	skipped int
}

// linearOp is an operation as porcupine sees it.
type linearOp struct {
	step
	by        Ref
	call, end int64
	from, to  int64 // call and end, narrowed
	rank      int   // breaks ties of from and to: the order in which the search had better try
}

func newLinear(cfg Config, w *witness) *linear {
	return &linear{cfg: cfg, witness: w, byName: map[string]*linearStream{}}
}

func (l *linear) stream(name string) *linearStream {
	s, ok := l.byName[name]
	if !ok {
		s = &linearStream{sink: sink{stream: name, names: l.cfg.Names}, under: map[*op]*linearOp{}}
		l.byName[name] = s
	}
	return s
}

func (l *linear) invoke(o *op) {
	l.clock++
	if l.cfg.MaxOps == 0 || (o.Kind == Read && !o.Linearizable) {
		return
	}
	s := l.stream(o.Stream)
	s.cut = s.cut || len(s.ops)+len(s.under) >= l.cfg.MaxOps
	if s.cut {
		s.skipped++
		return
	}
	s.invoked(o)
	s.under[o] = &linearOp{by: o.ref(), call: l.clock}
}

func (l *linear) complete(o *op, c Complete) {
	l.clock++
	s := l.byName[o.Stream]
	if s == nil || s.under[o] == nil {
		return
	}
	lo := s.under[o]
	delete(s.under, o)
	s.ended(o, c)
	step, tells := stepOf(o, c)
	if s.cut && !step.optional {
		if o.Kind != Append || c.Outcome != OK {
			return // it ended beyond the cut and changed nothing before it
		}
		step.optional = true
	}
	if !tells {
		return
	}
	if step.verb == fences {
		s.refused(o, c)
	}
	lo.step, lo.end = step, l.clock
	if step.optional {
		lo.end = math.MaxInt64
	}
	s.ops = append(s.ops, lo)
	l.counts.add(o, c)
}

func (l *linear) finish(result *Result) {
	if l.cfg.MaxOps == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(l.byName)) {
		s := l.byName[name]
		l.counts.Streams++
		l.counts.Skipped += s.skipped
		s.check(l.cfg, l.witness.byName[name], l.clock)
		result.take(&s.sink)
	}
	result.Porcupine.join(l.counts)
}

func (s *linearStream) check(cfg Config, w *stream, clock int64) {
	if w.readBack {
		s.resolve(w.final)
	}
	if w.readBack && !s.cut {
		s.ops = append(s.ops, &linearOp{step: readAll(w.final), call: clock + 1, end: clock + 2})
	}
	s.disbelieve()
	tighten(s.ops)
	m := newModel(s.ops, cfg.MaxSteps)
	switch m.run(s.ops, cfg.Timeout) {
	case porcupine.Ok:
	case porcupine.Illegal:
		if m.exhausted() {
			s.undecide("porcupine ran out of its %d steps over %d operations", cfg.MaxSteps, len(s.ops))
			return
		}
		s.explain()
	default:
		s.undecide("porcupine ran out of its time of %s over %d operations", cfg.Timeout, len(s.ops))
	}
}

// disbelieve marks the refusals in favour of tokens that nothing in the history explains.
func (s *linearStream) disbelieve() {
	for _, d := range s.unexplained() {
		for _, o := range s.ops {
			o.baseless = o.baseless || o.verb == fences && o.by == d.by
		}
	}
}

// resolve uses the final contents, which are themselves checked as a read, to decide the appends with unknown outcome: what
// is not there has not happened, what is there once has happened there. The others stay open.
func (s *linearStream) resolve(final []Hash) {
	byFirst := map[Hash][]*linearOp{}
	for _, o := range s.ops {
		if o.optional && !o.pinned {
			byFirst[o.hashes[0]] = append(byFirst[o.hashes[0]], o)
		}
	}
	places := map[*linearOp][]Seq{}
	for i, h := range final {
		for _, o := range byFirst[h] {
			if rest := final[i:]; len(rest) >= len(o.hashes) && slices.Equal(rest[:len(o.hashes)], o.hashes) {
				places[o] = append(places[o], Seq(i))
			}
		}
	}
	s.ops = slices.DeleteFunc(s.ops, func(o *linearOp) bool { return o.optional && !o.pinned && len(places[o]) == 0 })
	for _, o := range s.ops {
		if at := places[o]; len(at) == 1 && len(byFirst[o.hashes[0]]) == 1 {
			o.pinned, o.first = true, at[0]
		}
	}
}

// maxExplainSteps bounds the second search, which only serves the sentence.
const maxExplainSteps = 50_000

// explain reports that no order exists, with the operation at which the longest attempt ended.
func (s *linearStream) explain() {
	m := newModel(s.ops, maxExplainSteps)
	for _, o := range s.ops { // as it was: the sentence speaks of what the clients saw
		o.from, o.to, o.rank = o.call, o.end, 0
	}
	_, info := porcupine.CheckOperationsVerbose(m.porcupine(), m.history(s.ops), 0)
	longest := slices.MaxFunc(append(info.PartialLinearizations()[0], nil), func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b))
	})
	done := map[int]bool{}
	for _, id := range longest {
		done[id] = true
	}
	var stuck *linearOp
	for i, o := range s.ops {
		if !done[i] && !o.optional && (stuck == nil || o.end < stuck.end) {
			stuck = o
		}
	}
	if stuck == nil {
		s.violate(NotLinearizing, nil, "porcupine finds no order of %d operations that explains their answers", len(s.ops))
		return
	}
	s.violate(NotLinearizing, []Ref{stuck.by}, "porcupine finds no order of %d operations that explains their answers; after %d of them there is no place for %s",
		len(s.ops), len(longest), stuck)
}

// String tells the operation and what it was answered.
func (o *linearOp) String() string { return o.in(nil) }

func (o *linearOp) in(names Names) string {
	if o.by.Kind == 0 {
		return fmt.Sprintf("the final contents, which end before seq %d", o.next)
	}
	return fmt.Sprintf("%s, which %s", o.by.in(names), o.step)
}

// run asks porcupine.
func (m *model) run(ops []*linearOp, timeout time.Duration) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(m.porcupine(), m.history(ops), timeout)
}

func (m *model) history(ops []*linearOp) []porcupine.Operation {
	history := make([]porcupine.Operation, len(ops))
	scale := int64(len(ops) + 1)
	at := func(time int64, rank int) int64 {
		if time == math.MaxInt64 {
			return time
		}
		return time*scale + int64(rank)
	}
	for i, o := range ops {
		history[i] = porcupine.Operation{ClientId: int(o.by.Client), Input: &o.step, Call: at(o.from, o.rank), Return: at(o.to, o.rank)}
	}
	return history
}
