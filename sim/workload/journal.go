package workload

import (
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/record"
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
	client  record.Client
}

// Hand makes a new line of operations.
func (j *Journal) Hand() *Hand {
	j.hands++
	return &Hand{journal: j, client: record.NewClient(j.hands)}
}

// Op is an operation that was invoked.
type Op struct {
	journal *Journal
	asked   record.Op
}

// invoke records the start of an operation; in names what it asks for.
func (h *Hand) invoke(in history.Invoke) Op {
	j := h.journal
	j.asked++
	in, op := h.client.Ask(int64(j.world.Now()), in)
	j.tellAsk(in)
	j.out.Invoke(in)
	return Op{j, op}
}

// Open records that a producer is opened.
func (h *Hand) Open(s *Stream, token uint64) Op { return h.invoke(record.Open(s.Name, token)) }

// Append records that a batch is sent by a producer with a token.
func (h *Hand) Append(s *Stream, b peer.Batch, token uint64) Op {
	return h.invoke(record.Append(s.Name, b, token))
}

// Tail records that the tail is asked for.
func (h *Hand) Tail(s *Stream) Op { return h.invoke(record.Tail(s.Name)) }

// Read records that records are asked for.
func (h *Hand) Read(s *Stream, from uint64, linearizable bool) Op {
	return h.invoke(record.Read(s.Name, from, linearizable))
}

// done records the end of an operation.
func (o Op) done(c history.Complete) {
	j := o.journal
	c = o.asked.Ended(int64(j.world.Now()), c)
	name := c.Kind.String() + " " + c.Outcome.String()
	if c.Code != "" {
		name += " " + c.Code
	}
	j.ops[name]++
	j.world.Fold(uint64(c.Client)<<32 ^ uint64(c.Op)<<16 ^ uint64(c.Next) ^ uint64(c.Tail)<<8 ^ uint64(c.Outcome))
	j.tellAnswer(c)
	j.out.Complete(c)
}

// Opened records an answered open.
func (o Op) Opened(as peer.Opened) { o.done(record.Opened(as)) }

// Acked records an acknowledged append.
func (o Op) Acked(ack peer.Ack) { o.done(record.Acked(ack)) }

// Told records an answered tail.
func (o Op) Told(tail uint64) { o.done(record.Told(tail)) }

// Got records the answer of a read.
func (o Op) Got(reply peer.FetchReply) { o.done(record.Got(reply)) }

// Refused records an operation that ended with an error.
func (o Op) Refused(err error) { o.done(o.asked.Refused(err)) }

// NotTaken records an append that the producer did not take: it is not part of the stream.
func (o Op) NotTaken(err error) { o.done(o.asked.NotTaken(err)) }
