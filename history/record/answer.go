package record

import (
	"errors"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// Ended gives an answer its time and operation.
func (o Op) Ended(at int64, c history.Complete) history.Complete {
	c.At, c.Client, c.Op, c.Kind = at, o.client, o.id, o.kind
	return c
}

// Opened is the answer of an open.
func Opened(as peer.Opened) history.Complete {
	return history.Complete{Outcome: history.OK, Tail: history.Seq(as.Next), Token: history.Token(as.Token)}
}

// Acked is the acknowledgement of an append.
func Acked(ack peer.Ack) history.Complete {
	return history.Complete{Outcome: history.OK, First: history.Seq(ack.First), Next: history.Seq(ack.Next)}
}

// Told is the answer of a tail.
func Told(tail uint64) history.Complete {
	return history.Complete{Outcome: history.OK, Tail: history.Seq(tail)}
}

// Got is the answer of a read. Records that are not a run get a first seq that no read can have, so that the check tells.
func Got(reply peer.FetchReply) history.Complete {
	c := history.Complete{Outcome: history.OK, Next: history.Seq(reply.Next), AtTail: reply.AtTail, Hashes: HashesOf(reply.Records)}
	c.First = c.Next
	for i, r := range reply.Records {
		switch first := reply.Records[0].Seq; {
		case i == 0:
			c.First = history.Seq(first)
		case r.Seq != first+uint64(i):
			c.First = ^history.Seq(0)
		}
	}
	return c
}

// Refused is the end of an operation with an error: it failed where the error is definite, else nobody knows.
func (o Op) Refused(err error) history.Complete {
	e, ok := refusal(err)
	if !ok || !e.Code.Definite() {
		return Unknown(peer.CodeOf(err))
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
	return c
}

// NotTaken is the end of an append that the producer did not take: it is not part of the stream, whatever the error.
func (o Op) NotTaken(err error) history.Complete {
	if e, ok := refusal(err); ok && e.Code == peer.Fenced {
		return o.Refused(err)
	}
	return history.Complete{Outcome: history.Failed, Code: "not-taken"}
}

// Unknown is the end of an operation of which nobody knows whether it happened.
func Unknown(code peer.Code) history.Complete {
	return history.Complete{Outcome: history.Unknown, Code: code.String()}
}

// refusal finds the answer of a star in an error.
func refusal(err error) (*peer.Error, bool) {
	var e *peer.Error
	ok := errors.As(err, &e)
	return e, ok
}
