package workload

import (
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
)

// Journal records operations as they happen, counts them, and folds their ends into the hash of the run.
type Journal struct {
	world *sim.World
	out   history.Recorder
	hands history.Client
	asked int
	ops   map[string]uint64
}

func newJournal(w *sim.World, out history.Recorder) *Journal {
	return &Journal{world: w, out: out, ops: map[string]uint64{}}
}

// Ops counts operations by kind, outcome and code, such as "append ok" and "open failed fenced".
func (j *Journal) Ops() []sim.Count { return sim.Sorted(j.ops) }

// Asked counts the operations that were invoked.
func (j *Journal) Asked() int { return j.asked }

// Hand is one line of operations, as one history client. A reader that follows a stream is one.
type Hand struct {
	journal *Journal
	id      history.Client
	last    history.OpID
}

// Hand makes a new line of operations.
func (j *Journal) Hand() *Hand {
	j.hands++
	return &Hand{journal: j, id: j.hands}
}

// Op is an operation that was invoked.
type Op struct {
	hand   *Hand
	id     history.OpID
	kind   history.Kind
	match  bool
	stream *Stream
}

// invoke records the start of an operation; in names what it asks for.
func (h *Hand) invoke(s *Stream, in history.Invoke) Op {
	h.last++
	h.journal.asked++
	in.At, in.Client, in.Op, in.Stream = int64(h.journal.world.Now()), h.id, h.last, s.Name.String()
	h.journal.tellAsk(in)
	h.journal.out.Invoke(in)
	return Op{h, h.last, in.Kind, in.Match != nil, s}
}

// Open records that a producer is opened.
func (h *Hand) Open(s *Stream, token uint64) Op {
	return h.invoke(s, history.Invoke{Kind: history.Open, Token: history.Token(token)})
}

// Append records that a batch is sent by a producer with a token.
func (h *Hand) Append(s *Stream, b peer.Batch, token uint64) Op {
	in := history.Invoke{Kind: history.Append, Hashes: HashesOf(b.Records), Token: history.Token(token)}
	if b.MatchSeq != nil {
		match := history.Seq(*b.MatchSeq)
		in.Match = &match
	}
	return h.invoke(s, in)
}

// Tail records that the tail is asked for.
func (h *Hand) Tail(s *Stream) Op { return h.invoke(s, history.Invoke{Kind: history.Tail}) }

// Read records that records are asked for.
func (h *Hand) Read(s *Stream, from uint64, linearizable bool) Op {
	return h.invoke(s, history.Invoke{Kind: history.Read, From: history.Seq(from), Linearizable: linearizable})
}

// done records the end of an operation.
func (o Op) done(c history.Complete) {
	j := o.hand.journal
	c.At, c.Client, c.Op, c.Kind = int64(j.world.Now()), o.hand.id, o.id, o.kind
	name := o.kind.String() + " " + c.Outcome.String()
	if c.Code != "" {
		name += " " + c.Code
	}
	j.ops[name]++
	j.world.Fold(uint64(o.hand.id)<<32 ^ uint64(o.id)<<16 ^ uint64(c.Next) ^ uint64(c.Tail)<<8 ^ uint64(c.Outcome))
	j.tellAnswer(c)
	j.out.Complete(c)
}

// Opened records an answered open.
func (o Op) Opened(as peer.Opened) {
	o.done(history.Complete{Outcome: history.OK, Tail: history.Seq(as.Next), Token: history.Token(as.Token)})
}

// Acked records an acknowledged append.
func (o Op) Acked(ack peer.Ack) {
	o.done(history.Complete{Outcome: history.OK, First: history.Seq(ack.First), Next: history.Seq(ack.Next)})
}

// Told records an answered tail.
func (o Op) Told(tail uint64) { o.done(history.Complete{Outcome: history.OK, Tail: history.Seq(tail)}) }

// Got records the answer of a read from a seq.
func (o Op) Got(from uint64, reply peer.FetchReply) {
	c := history.Complete{Outcome: history.OK, Next: history.Seq(reply.Next), AtTail: reply.AtTail, Hashes: HashesOf(reply.Records)}
	c.First = c.Next
	if len(reply.Records) > 0 {
		c.First = history.Seq(reply.Records[0].Seq)
	}
	for i, r := range reply.Records {
		if r.Seq != reply.Records[0].Seq+uint64(i) {
			c.First = ^history.Seq(0) // not a run: the check tells
		}
	}
	o.done(c)
}

// Refused records an operation that ended with an error: it failed where the error is definite, else nobody knows.
func (o Op) Refused(err error) {
	e, ok := refusal(err)
	if !ok || !e.Code.Definite() {
		o.done(history.Complete{Outcome: history.Unknown, Code: peer.CodeOf(err).String()})
		return
	}
	c := history.Complete{Outcome: history.Failed, Code: e.Code.String()}
	switch {
	case e.Code == peer.MatchFailed && o.match:
		c.Tail = history.Seq(e.Tail)
	case e.Code == peer.MatchFailed:
		c.Code = "expected-elsewhere" // the client set the expected seq, not the caller
	case e.Code == peer.Fenced && (o.kind == history.Append || o.kind == history.Open):
		c.Token = history.Token(e.Token)
	case e.Code == peer.Fenced:
		c.Code = "refused"
	}
	o.done(c)
}

// NotTaken records an append that the producer did not take: it is not part of the stream.
func (o Op) NotTaken(err error) {
	if e, ok := refusal(err); ok && e.Code == peer.Fenced {
		o.Refused(err)
		return
	}
	o.done(history.Complete{Outcome: history.Failed, Code: "not-taken"})
}
