package history

import (
	"slices"

	"pgregory.net/rapid"
)

// world is a linearizable stream with clients that lose answers, give up and die: what it logs is a valid history.
type world struct {
	t       *rapid.T
	log     Log
	fencing bool // producers have tokens
	reading bool // ordinary reads are among the operations

	records []Hash
	ends    []Seq // tails between appends
	token   Token
	clients []*actor
	late    []Invoke // appends given up on, that may still happen
	next    Hash
}

// actor is one client.
type actor struct {
	id     Client
	ops    OpID
	token  Token
	seen   Seq // the end that it was shown by ordinary reads
	open   *Invoke
	answer *Complete // set once the operation took effect
}

func generate(t *rapid.T, fencing, reading bool) *world {
	w := &world{t: t, fencing: fencing, reading: reading, ends: []Seq{0}}
	for i := range rapid.IntRange(1, 5).Draw(t, "clients") {
		w.clients = append(w.clients, &actor{id: Client(i)})
	}
	for range rapid.IntRange(1, 60).Draw(t, "moves") {
		w.move()
	}
	for _, a := range w.clients {
		if a.answer != nil {
			w.log.Complete(*a.answer)
		}
	}
	half := len(w.records) / 2 // in two parts
	w.log.Final(Final{Stream: scriptStream, Hashes: w.records[:half]})
	w.log.Final(Final{Stream: scriptStream, First: Seq(half), Hashes: w.records[half:]})
	return w
}

func (w *world) chance(percent int, what string) bool {
	return rapid.IntRange(0, 99).Draw(w.t, what) < percent
}

func (w *world) move() {
	if len(w.late) > 0 && w.chance(10, "late effect") {
		in := w.late[0]
		w.late = w.late[1:]
		w.perform(&in)
		return
	}
	a := rapid.SampledFrom(w.clients).Draw(w.t, "client")
	switch {
	case a.open == nil:
		in := w.invocation(a)
		a.open = &in
		w.log.Invoke(in)
	case a.answer == nil && w.chance(10, "fail"):
		w.log.Complete(w.completion(a.open, Failed, "shed"))
		a.open = nil
	case a.answer == nil && w.chance(10, "give up"):
		w.late = append(w.late, *a.open)
		w.finish(a, w.completion(a.open, Unknown, "indeterminate"))
	case a.answer == nil:
		c := w.perform(a.open)
		a.answer = &c
	case w.chance(10, "lose the answer"):
		w.finish(a, w.completion(a.open, Unknown, "indeterminate"))
	default:
		w.finish(a, *a.answer)
	}
}

func (w *world) finish(a *actor, c Complete) {
	if c.Kind == Open && c.Outcome == OK {
		a.token = c.Token
	}
	if c.Kind == Read && len(c.Hashes) > 0 && !a.open.Linearizable {
		a.seen = max(a.seen, c.Next)
	}
	w.log.Complete(c)
	a.open, a.answer = nil, nil
}

func (w *world) invocation(a *actor) Invoke {
	a.ops++
	in := Invoke{Client: a.id, Op: a.ops, Stream: scriptStream}
	kinds := []Kind{Append, Append, Append, Tail, Read}
	if w.fencing {
		kinds = append(kinds, Open)
	}
	in.Kind = rapid.SampledFrom(kinds).Draw(w.t, "kind")
	switch in.Kind {
	case Append:
		for range rapid.IntRange(1, 3).Draw(w.t, "records") {
			w.next++
			in.Hashes = append(in.Hashes, w.next)
		}
		if w.chance(30, "conditional") {
			match := max(Seq(len(w.records))+Seq(rapid.IntRange(0, 2).Draw(w.t, "ahead")), 1) - 1
			in.Match = &match
		}
		if w.fencing {
			in.Token = a.token
		}
	case Open:
		in.Token = Token(rapid.IntRange(0, 5).Draw(w.t, "token"))
	case Read:
		in.Linearizable = !w.reading || w.chance(50, "linearizable")
		in.From = Seq(rapid.IntRange(0, len(w.records)).Draw(w.t, "from"))
	case Tail:
	}
	return in
}

func (w *world) completion(in *Invoke, outcome Outcome, code string) Complete {
	return Complete{Client: in.Client, Op: in.Op, Kind: in.Kind, Outcome: outcome, Code: code}
}

// perform is the operation taking effect.
func (w *world) perform(in *Invoke) Complete {
	c := w.completion(in, OK, "")
	tail := Seq(len(w.records))
	switch {
	case in.Kind == Append && in.Token != 0 && in.Token < w.token, in.Kind == Open && in.Token != 0 && in.Token < w.token:
		c.Outcome, c.Code, c.Token = Failed, Fenced, w.token
	case in.Kind == Append && in.Match != nil && *in.Match != tail:
		c.Outcome, c.Code, c.Tail = Failed, MatchFailed, tail
	case in.Kind == Append:
		w.records = append(w.records, in.Hashes...)
		c.First, c.Next = tail, Seq(len(w.records))
		w.ends = append(w.ends, c.Next)
		w.token = max(w.token, in.Token)
	case in.Kind == Open:
		w.token = max(w.token+1, in.Token)
		if in.Token != 0 {
			w.token = in.Token
		}
		c.Tail, c.Token = tail, w.token
	case in.Kind == Tail:
		c.Tail = tail
	default:
		w.read(in, &c, tail)
	}
	return c
}

func (w *world) read(in *Invoke, c *Complete, tail Seq) {
	end := tail
	if !in.Linearizable {
		seen := w.clients[in.Client].seen
		end = rapid.SampledFrom(slices.DeleteFunc(slices.Clone(w.ends), func(e Seq) bool { return e < seen })).Draw(w.t, "visible")
	}
	from := min(in.From, end)
	if from < in.From {
		from, end = in.From, in.From
	}
	limit := from + Seq(rapid.IntRange(0, 5).Draw(w.t, "limit"))
	c.First, c.Next = from, min(end, limit)
	c.Hashes = slices.Clone(w.records[c.First:c.Next])
	c.AtTail = c.Next == end && end >= w.clients[in.Client].seen && slices.Contains(w.ends, end)
}
