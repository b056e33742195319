package client

import (
	"context"
	"errors"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
)

// Recorded is a star whose answers about records are written down. What is asked about buckets and stars passes through.
type Recorded struct {
	peer.Star
	recorder *Recorder
	asks     record.Client // the recorder's lock guards it
}

var _ peer.Star = (*Recorded)(nil)

func (c *Recorded) unrecorded() peer.Star { return c.Star }

// OpenSession opens a producer whose batches are written down.
func (c *Recorded) OpenSession(ctx context.Context, req peer.OpenRequest) (peer.Session, error) {
	op := c.invoke(req.Stream, record.Open(req.Stream, req.Token))
	s, err := c.Star.OpenSession(ctx, req)
	if doubt := (doubtError{}); errors.As(err, &doubt) {
		op.done(record.Unknown(peer.CodeOf(err)))
		return nil, err
	}
	if err != nil {
		op.refused(err)
		return nil, err
	}
	op.done(record.Opened(s.Opened()))
	return &session{handle: newHandle(s, req.Stream, nil), client: c}, nil
}

// Fetch reads records.
func (c *Recorded) Fetch(ctx context.Context, req peer.FetchRequest) (peer.FetchReply, error) {
	op := c.invoke(req.Stream, record.Read(req.Stream, req.From, req.Linearizable))
	reply, err := c.Star.Fetch(ctx, req)
	if err != nil {
		op.refused(err)
		return reply, err
	}
	op.done(record.Got(reply))
	return reply, nil
}

// Tail asks for the tail.
func (c *Recorded) Tail(ctx context.Context, stream peer.StreamName) (peer.TailReply, error) {
	op := c.invoke(stream, record.Tail(stream))
	reply, err := c.Star.Tail(ctx, stream)
	if err != nil {
		op.refused(err)
		return reply, err
	}
	op.done(record.Told(reply.Next))
	return reply, nil
}

// op is an operation under way.
type op struct {
	recorder *Recorder
	of       *contents // of its stream; nil where the operation is not recorded
	asked    record.Op
}

// invoke writes the start of an operation, unless the history has ended for its stream.
func (c *Recorded) invoke(stream peer.StreamName, in history.Invoke) op {
	r := c.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.streams[stream]
	if r.ended || of != nil && of.whole {
		return op{recorder: r}
	}
	if of == nil {
		of = &contents{}
		r.streams[stream] = of
	}
	in, asked := c.asks.Ask(r.now(), in)
	r.out.Invoke(in)
	of.events++
	return op{r, of, asked}
}

// done writes the end of an operation. One that the end of the history overtook has none.
func (o op) done(end history.Complete) {
	r := o.recorder
	r.mu.Lock()
	defer r.mu.Unlock()
	if o.of == nil || o.of.whole {
		return
	}
	o.of.events++
	o.of.told = o.of.told || end.Outcome == history.OK || end.Code == history.MatchFailed || end.Code == history.Fenced
	r.out.Complete(o.asked.Ended(r.now(), end))
	switch end.Outcome {
	case history.OK:
		r.counts.OK++
	case history.Failed:
		r.counts.Failed++
	case history.Unknown:
		r.counts.Unknown++
	}
}

// refused writes that an operation ended with an error.
func (o op) refused(err error) { o.done(o.asked.Refused(err)) }
