package record

import (
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// Client is one client of a history. It numbers its operations.
type Client struct {
	id   history.Client
	last history.OpID
}

// NewClient makes a client. No other of the history has its id.
func NewClient(id history.Client) Client { return Client{id: id} }

// ID is who it is in the history.
func (c Client) ID() history.Client { return c.id }

// Op is an operation under way.
type Op struct {
	client history.Client
	id     history.OpID
	kind   history.Kind
	match  bool // the caller named the seq that it expects
}

// Ask begins an operation at a time: the event, whole, and what its answer is translated by.
func (c *Client) Ask(at int64, in history.Invoke) (history.Invoke, Op) {
	c.last++
	in.At, in.Client, in.Op = at, c.id, c.last
	return in, Op{client: c.id, id: c.last, kind: in.Kind, match: in.Match != nil}
}

// Open asks for a producer with a token, or with the next one where it is 0.
func Open(stream peer.StreamName, token uint64) history.Invoke {
	return history.Invoke{Kind: history.Open, Stream: stream.String(), Token: history.Token(token)}
}

// Append sends a batch through a producer with a token.
func Append(stream peer.StreamName, b peer.Batch, token uint64) history.Invoke {
	in := history.Invoke{Kind: history.Append, Stream: stream.String(), Hashes: HashesOf(b.Records), Token: history.Token(token)}
	if b.MatchSeq != nil {
		match := history.Seq(*b.MatchSeq)
		in.Match = &match
	}
	return in
}

// Tail asks for the tail.
func Tail(stream peer.StreamName) history.Invoke {
	return history.Invoke{Kind: history.Tail, Stream: stream.String()}
}

// Read asks for records.
func Read(stream peer.StreamName, from uint64, linearizable bool) history.Invoke {
	return history.Invoke{Kind: history.Read, Stream: stream.String(), From: history.Seq(from), Linearizable: linearizable}
}
