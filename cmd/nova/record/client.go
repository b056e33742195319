package record

import (
	"context"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// Client is a star whose answers about records are written down. What is asked about buckets and stars passes through.
type Client struct {
	peer.Star
	recorder *Recorder
	id       history.Client
	last     history.OpID
}

var _ peer.Star = (*Client)(nil)

// OpenSession opens a producer whose batches are written down.
func (c *Client) OpenSession(ctx context.Context, req peer.OpenRequest) (peer.Session, error) {
	op := c.invoke(req.Stream, history.Invoke{Kind: history.Open, Token: history.Token(req.Token)})
	s, err := c.Star.OpenSession(ctx, req)
	if err != nil {
		op.refused(err)
		return nil, err
	}
	as := s.Opened()
	op.done(history.Complete{Outcome: history.OK, Tail: history.Seq(as.Next), Token: history.Token(as.Token)})
	return &session{Session: s, client: c, stream: req.Stream}, nil
}

// Fetch reads records.
func (c *Client) Fetch(ctx context.Context, req peer.FetchRequest) (peer.FetchReply, error) {
	op := c.invoke(req.Stream, history.Invoke{Kind: history.Read, From: history.Seq(req.From), Linearizable: req.Linearizable})
	reply, err := c.Star.Fetch(ctx, req)
	if err != nil {
		op.refused(err)
		return reply, err
	}
	end := history.Complete{Outcome: history.OK, Next: history.Seq(reply.Next), AtTail: reply.AtTail, Hashes: hashesOf(reply.Records)}
	end.First = end.Next
	if len(reply.Records) > 0 {
		end.First = history.Seq(reply.Records[0].Seq)
	}
	op.done(end)
	return reply, nil
}

// Tail asks for the tail.
func (c *Client) Tail(ctx context.Context, stream peer.StreamName) (peer.TailReply, error) {
	op := c.invoke(stream, history.Invoke{Kind: history.Tail})
	reply, err := c.Star.Tail(ctx, stream)
	if err != nil {
		op.refused(err)
		return reply, err
	}
	op.done(history.Complete{Outcome: history.OK, Tail: history.Seq(reply.Next)})
	return reply, nil
}
