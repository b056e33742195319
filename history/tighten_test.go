package history

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// contents are the final contents of a stream in a log.
func contents(log *Log, stream string) (final []Hash) {
	for _, e := range log.events {
		if f, ok := e.(Final); ok && f.Stream == stream {
			final = append(final, f.Hashes...)
		}
	}
	return final
}

// TestTightenKeepsVerdicts: narrowing the times of steps changes no verdict of porcupine, whether histories are right or not, and
// whether or not final contents have placed the appends of unknown outcome.
func TestTightenKeepsVerdicts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := generate(t, rapid.Bool().Draw(t, "fencing"), true)
		bend(t, &w.log)
		for _, s := range streamsOf(t, &w.log) {
			if rapid.Bool().Draw(t, "read back") {
				final := contents(&w.log, s.stream)
				s.resolve(final)
				s.ops = append(s.ops, &linearOp{step: readAll(final), call: 1 << 40, end: 1<<40 + 1})
			}
			for _, o := range s.ops {
				o.from, o.to = o.call, o.end
			}
			wide := newModel(s.ops, DefaultConfig().MaxSteps)
			as := wide.run(s.ops, 0)
			tighten(s.ops)
			narrow := newModel(s.ops, DefaultConfig().MaxSteps)
			if now := narrow.run(s.ops, 0); now != as && !wide.exhausted() && !narrow.exhausted() {
				t.Fatalf("stream %s: porcupine says %s, and %s of narrowed times\n%s", s.stream, as, now, dump(&w.log))
			}
		}
	})
}

// streamsOf gives the steps of each stream as porcupine gets them.
func streamsOf(t *rapid.T, log *Log) []*linearStream {
	witness, err := newWitness(log, nil, whole)
	if err != nil {
		t.Fatalf("witness: %v", err)
	}
	l := newLinear(DefaultConfig(), witness)
	open := map[opKey]*op{}
	for e, err := range log.Events() {
		if err != nil {
			return nil // no longer a history
		}
		switch e := e.(type) {
		case Invoke:
			open[opKey{e.Client, e.Op}] = &op{Invoke: e}
			l.invoke(open[opKey{e.Client, e.Op}])
		case Complete:
			l.complete(open[opKey{e.Client, e.Op}], e)
		}
	}
	var streams []*linearStream
	for _, name := range slices.Sorted(maps.Keys(l.byName)) {
		streams = append(streams, l.byName[name])
	}
	return streams
}

// crowd is a stream of n records whose appends are all under way at once and never answered, as after a connection that broke,
// while as many ask for tails, and as many read beyond the end and find nothing. No answer comes before all are asked.
func crowd(n int) *Log {
	log := &Log{}
	seq := func(i int) Seq { return Seq(i) }
	hash := func(i int) []Hash { return []Hash{Hash(i + 1)} }
	var ends []Complete
	ask := func(client Client, op int, in Invoke, end Complete) {
		in.Client, in.Op, in.Stream = client, OpID(op+1), "logs/app"
		end.Client, end.Op, end.Kind = client, in.Op, in.Kind
		log.Invoke(in)
		ends = append(ends, end)
	}
	for i := range n {
		ask(1, i, Invoke{Kind: Append, Hashes: hash(i)}, Complete{Outcome: Unknown})
		ask(2, i, Invoke{Kind: Tail}, Complete{Outcome: OK, Tail: seq(i * 7 % n)}) // in no order
		beyond := seq(n/2 + i*5%n)
		ask(3, i, Invoke{Kind: Read, From: beyond, Linearizable: true}, Complete{Outcome: OK, First: beyond, Next: beyond, AtTail: true})
	}
	for _, end := range ends {
		log.Complete(end)
	}
	final := Final{Stream: "logs/app"}
	for i := range n {
		final.Hashes = append(final.Hashes, hash(i)...)
	}
	log.Final(final)
	return log
}

// TestCrowd is decided, though every order of 600 operations looks possible at first: by a walk, not by a search. The same with
// a tail that cannot have been is found wrong.
func TestCrowd(t *testing.T) {
	const n = 200
	few := Config{MaxOps: 3 * n, MaxSteps: n * n * 4}
	log := crowd(n)
	if r, err := Check(log, few); err != nil || !r.OK() || r.Porcupine.Ops() != 3*n {
		t.Errorf("%v\n%s", err, r)
	}
	for i, e := range log.events {
		if c, ok := e.(Complete); ok && c.Kind == Tail && c.Op == n {
			c.Tail = n + 1
			log.events[i] = c
		}
	}
	if r, err := Check(log, few); err != nil || r.Verdict() != Violated {
		t.Errorf("%v\n%s", err, r)
	}
}

// TestCrowdOfRefusals is decided as well: n appends of an older producer are all under way when a newer one opens, and are refused
// one by one while it appends.
func TestCrowdOfRefusals(t *testing.T) {
	const n = 100
	log := &Log{}
	ask := func(client Client, op int, in Invoke) {
		in.Client, in.Op, in.Stream = client, OpID(op+1), "logs/app"
		log.Invoke(in)
	}
	told := func(client Client, op int, end Complete) {
		end.Client, end.Op = client, OpID(op+1)
		log.Complete(end)
	}
	ask(1, 0, Invoke{Kind: Open})
	told(1, 0, Complete{Kind: Open, Outcome: OK, Token: 1})
	for i := range n {
		ask(1, 1+i, Invoke{Kind: Append, Token: 1, Hashes: []Hash{Hash(1000 + i)}})
	}
	ask(2, 0, Invoke{Kind: Open})
	told(2, 0, Complete{Kind: Open, Outcome: OK, Token: 2})
	final := Final{Stream: "logs/app"}
	for i := range n {
		ask(2, 1+i, Invoke{Kind: Append, Token: 2, Hashes: []Hash{Hash(i + 1)}})
		told(1, 1+i*7%n, Complete{Kind: Append, Outcome: Failed, Code: Fenced, Token: 2})
		told(2, 1+i, Complete{Kind: Append, Outcome: OK, First: Seq(i), Next: Seq(i + 1)})
		final.Hashes = append(final.Hashes, Hash(i+1))
	}
	log.Final(final)
	if r, err := Check(log, Config{MaxOps: 3 * n, MaxSteps: n * n * 4}); err != nil || !r.OK() || r.Porcupine.Ops() != 2*n+2 {
		t.Errorf("%v\n%s", err, r)
	}
}
