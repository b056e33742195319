package history

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func check(t interface{ Fatalf(string, ...any) }, log *Log) Result {
	result, err := Check(log, DefaultConfig())
	if err != nil {
		t.Fatalf("check: %v", err)
	}
	return result
}

// TestLinearizableHistoriesPass: a history that a linearizable stream made is never accused.
func TestLinearizableHistoriesPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := generate(t, rapid.Bool().Draw(t, "fencing"), true)
		if r := check(t, &w.log); r.Found > 0 || (r.Witness.Ops() > 0 && r.Porcupine.Ops() > 0 && !r.OK()) {
			t.Fatalf("a valid history did not pass:\n%s\n%s", r, dump(&w.log))
		}
	})
}

// mutation breaks a valid history. It returns false where it does not apply.
type mutation struct {
	name   string
	rules  []Rule // one of them must be among the witness check's violations
	porcup bool   // porcupine must find it too
	apply  func(t *rapid.T, l *Log) bool
}

var mutations = []mutation{
	{"lose an acknowledged append", []Rule{LostAck}, true, func(t *rapid.T, l *Log) bool {
		c, ok := pick[Complete](t, l, func(c Complete) bool { return c.Kind == Append && c.Outcome == OK })
		return ok && refinal(l, func(final []Hash) []Hash { return slices.Delete(final, int(c.First), int(c.Next)) })
	}},
	{"append an acknowledged one twice", []Rule{Duplicate}, true, func(t *rapid.T, l *Log) bool {
		c, ok := pick[Complete](t, l, func(c Complete) bool { return c.Kind == Append && c.Outcome == OK })
		return ok && refinal(l, func(final []Hash) []Hash { return append(final, final[c.First:c.Next]...) })
	}},
	{"swap two records of a batch", []Rule{LostAck}, true, func(t *rapid.T, l *Log) bool {
		c, ok := pick[Complete](t, l, func(c Complete) bool { return c.Kind == Append && c.Outcome == OK && c.Next > c.First+1 })
		return ok && refinal(l, func(final []Hash) []Hash {
			final[c.First], final[c.First+1] = final[c.First+1], final[c.First]
			return final
		})
	}},
	{"let a stranger append", []Rule{Foreign}, true, func(t *rapid.T, l *Log) bool {
		return refinal(l, func(final []Hash) []Hash { return append(final, 1<<40) })
	}},
	{"let a failed append in", []Rule{FailedPresent}, true, func(t *rapid.T, l *Log) bool {
		c, ok := pick[Complete](t, l, func(c Complete) bool { return c.Kind == Append && c.Outcome == Failed })
		if !ok {
			return false
		}
		in, _ := pick[Invoke](t, l, func(in Invoke) bool { return in.Client == c.Client && in.Op == c.Op })
		return refinal(l, func(final []Hash) []Hash { return append(final, in.Hashes...) })
	}},
	{"answer a tail beyond the end", []Rule{Ahead}, true, func(t *rapid.T, l *Log) bool {
		return recomplete(t, l, func(c Complete) bool { return c.Kind == Tail && c.Outcome == OK }, func(c *Complete) { c.Tail += 1000 })
	}},
	{"refuse what matches", []Rule{WrongRefusal}, true, func(t *rapid.T, l *Log) bool {
		return recomplete(t, l, func(c Complete) bool { return c.Outcome == Failed && c.Code == MatchFailed }, func(c *Complete) {
			in, _ := pick[Invoke](t, l, func(in Invoke) bool { return in.Client == c.Client && in.Op == c.Op })
			c.Tail = *in.Match
		})
	}},
	{"change a record of a read", []Rule{ReadMismatch}, false, func(t *rapid.T, l *Log) bool {
		return recomplete(t, l, func(c Complete) bool { return c.Kind == Read && len(c.Hashes) > 0 }, func(c *Complete) { c.Hashes[0]++ })
	}},
	{"forget everything after the first acknowledgement", []Rule{Stale}, true, func(t *rapid.T, l *Log) bool {
		var acked bool
		for _, e := range l.events {
			if c, ok := e.(Complete); ok && c.Kind == Append && c.Outcome == OK {
				acked = true
			}
		}
		if acked { // a tail that is asked for at the end and knows nothing
			at := slices.IndexFunc(l.events, func(e Event) bool { _, ok := e.(Final); return ok })
			l.events = slices.Insert(l.events, at, Event(Invoke{Client: 99, Op: 1, Kind: Tail, Stream: scriptStream}),
				Event(Complete{Client: 99, Op: 1, Kind: Tail, Outcome: OK}))
		}
		return acked
	}},
}

// TestMutatedHistoriesFail: each way to break a history is found, by the rule that it breaks.
func TestMutatedHistoriesFail(t *testing.T) {
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			applied := 0
			rapid.Check(t, func(t *rapid.T) {
				w := generate(t, false, true)
				if !m.apply(t, &w.log) {
					return
				}
				applied++
				r := check(t, &w.log)
				found := slices.ContainsFunc(r.Violations, func(v Violation) bool { return slices.Contains(m.rules, v.Rule) })
				porcup := slices.ContainsFunc(r.Violations, func(v Violation) bool { return v.Rule == NotLinearizing })
				if !found || (m.porcup && !porcup && r.Porcupine.Ops() > 0) {
					t.Fatalf("not found:\n%s\n%s", r, dump(&w.log))
				}
			})
			if applied == 0 {
				t.Errorf("no generated history could be mutated so")
			}
		})
	}
}

// TestCheckersAgree: on histories without ordinary reads, bent at random, the witness check and porcupine agree.
func TestCheckersAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := generate(t, true, false)
		for range rapid.IntRange(1, 2).Draw(t, "bends") {
			bend(t, &w.log)
		}
		cfg := DefaultConfig()
		cfg.MaxOps = 0
		witness, err := Check(&w.log, cfg)
		if err != nil {
			return // no longer a history
		}
		both := check(t, &w.log)
		porcupine := both.Found - witness.Found
		if (witness.Found > 0) != (porcupine > 0) && len(both.Undecided) == 0 {
			t.Fatalf("the checkers disagree:\n%s\n%s", both, dump(&w.log))
		}
	})
}

// bend changes an answer a little, or moves an event.
func bend(t *rapid.T, l *Log) {
	i := rapid.IntRange(0, len(l.events)-1).Draw(t, "event")
	step := Seq(rapid.SampledFrom([]int{-3, -2, -1, 1, 2, 3}).Draw(t, "by"))
	switch e := l.events[i].(type) {
	case Complete:
		if rapid.Bool().Draw(t, "move") {
			j := max(i-rapid.IntRange(1, 12).Draw(t, "back"), 0)
			l.events = slices.Insert(slices.Delete(l.events, i, i+1), j, Event(e))
			return
		}
		e.Tail += step
		if e.Token != 0 && rapid.Bool().Draw(t, "token") {
			e.Token = max(e.Token+Token(step), 1)
			e.Tail -= step
		}
		if e.Kind != Read {
			e.First, e.Next = e.First+step, e.Next+step
		}
		l.events[i] = e
	case Invoke:
		if e.Match != nil {
			match := *e.Match + step
			e.Match = &match
			l.events[i] = e
		}
	case Final:
		if len(e.Hashes) > 0 {
			n := rapid.IntRange(0, len(e.Hashes)-1).Draw(t, "hash")
			e.Hashes[n], e.Hashes[0] = e.Hashes[0], e.Hashes[n]
		}
	}
}

func pick[E Event](t *rapid.T, l *Log, fits func(E) bool) (E, bool) {
	var found []E
	for _, e := range l.events {
		if e, ok := e.(E); ok && fits(e) {
			found = append(found, e)
		}
	}
	if len(found) == 0 {
		var none E
		return none, false
	}
	return rapid.SampledFrom(found).Draw(t, "pick"), true
}

func recomplete(t *rapid.T, l *Log, fits func(Complete) bool, change func(*Complete)) bool {
	c, ok := pick(t, l, fits)
	if !ok {
		return false
	}
	for i, e := range l.events {
		if have, ok := e.(Complete); ok && have.Client == c.Client && have.Op == c.Op {
			change(&c)
			l.events[i] = c
		}
	}
	return true
}

func refinal(l *Log, change func([]Hash) []Hash) bool {
	var final []Hash
	for _, e := range l.events {
		if f, ok := e.(Final); ok {
			final = append(final, f.Hashes...)
		}
	}
	l.events = slices.DeleteFunc(l.events, func(e Event) bool { _, ok := e.(Final); return ok })
	l.Final(Final{Stream: scriptStream, Hashes: change(final)})
	return true
}
