package stage

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/workload"
)

// Scribe is a client process whose operations are recorded.
type Scribe struct {
	*sim.Process
	Client *client.Client

	stage *Stage
	hand  *workload.Hand
}

// Scribe starts a client that knows every star.
func (s *Stage) Scribe(name string) *Scribe {
	c := &Scribe{stage: s, hand: s.journal.Hand()}
	c.Process, c.Client = s.Client(name)
	s.scribes = append(s.scribes, c)
	return c
}

// Star is a star as this client reaches it, without a cluster client in between.
func (c *Scribe) Star(star *fleets.Star) peer.Star {
	return c.stage.Peers.Network(c.Process).Dial(star.Name)
}

// Do runs a task of the client until it returns.
func (c *Scribe) Do(task func(ctx context.Context) error) error {
	done, result := false, error(nil)
	c.Go("task", func(ctx context.Context) {
		result = task(ctx)
		done = true
	})
	err := c.stage.World.RunUntil(Patience, func() bool { return done })
	return errors.Join(err, result)
}

// Pen is a producer of a scribe.
type Pen struct {
	*client.Producer
	Stream *workload.Stream

	scribe *Scribe
}

// Open opens a producer.
func (c *Scribe) Open(ctx context.Context, stream *workload.Stream, opts client.ProducerOptions) (*Pen, error) {
	op := c.hand.Open(stream, opts.Token)
	p, err := c.Client.OpenProducer(ctx, stream.Name, opts)
	if err != nil {
		op.Refused(err)
		return nil, err
	}
	op.Opened(p.Opened())
	return &Pen{Producer: p, Stream: stream, scribe: c}, nil
}

// Line makes a batch of one record that no other is like.
func (s *Stage) Line(stream *workload.Stream) peer.Batch {
	s.lines++
	return peer.Batch{Records: []peer.Record{{Body: fmt.Appendf(nil, "line %d of %s", s.lines, stream.Name)}}}
}

// Write appends one line.
func (p *Pen) Write(ctx context.Context) (peer.Ack, error) {
	return p.WriteBatch(ctx, p.scribe.stage.Line(p.Stream))
}

// WriteBatch appends a batch.
func (p *Pen) WriteBatch(ctx context.Context, b peer.Batch) (peer.Ack, error) {
	op := p.scribe.hand.Append(p.Stream, b, p.Opened().Token)
	ack, err := p.Append(ctx, b)
	if err != nil {
		op.Refused(err)
	} else {
		op.Acked(ack)
	}
	return ack, err
}

// WriteAll appends n lines, each until its outcome is known: a line whose outcome nobody can tell is followed by a new one.
// The error is one that does not end by itself, or ctx's.
func (p *Pen) WriteAll(ctx context.Context, n int) error {
	for n > 0 {
		_, err := p.Write(ctx)
		switch {
		case err == nil:
			n--
		case ctx.Err() != nil, !peer.Is(err, peer.Indeterminate):
			return err
		}
	}
	return nil
}

// Tail asks for the linearizable tail.
func (c *Scribe) Tail(ctx context.Context, stream *workload.Stream) (uint64, error) {
	op := c.hand.Tail(stream)
	reply, err := c.Client.Tail(ctx, stream.Name)
	if err != nil {
		op.Refused(err)
		return 0, err
	}
	op.Told(reply.Next)
	return reply.Next, nil
}

// Read reads records from a seq.
func (c *Scribe) Read(ctx context.Context, stream *workload.Stream, req peer.FetchRequest) (peer.FetchReply, error) {
	req.Stream = stream.Name
	op := c.hand.Read(stream, req.From, req.Linearizable)
	reply, err := c.Client.Fetch(ctx, req)
	if err != nil {
		op.Refused(err)
		return reply, err
	}
	op.Got(req.From, reply)
	return reply, nil
}
