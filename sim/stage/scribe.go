package stage

import (
	"context"
	"errors"
	"fmt"
	"time"

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

// Do runs a task of the client until it returns, or the client dies.
func (c *Scribe) Do(task func(ctx context.Context) error) error {
	done, result := false, error(nil)
	c.Go("task", func(ctx context.Context) {
		result = task(ctx)
		done = true
	})
	err := c.stage.World.RunUntil(Patience, func() bool { return done || !c.Alive() })
	return errors.Join(err, result)
}

// Pen is a producer of a scribe.
type Pen struct {
	*client.Producer
	Stream *workload.Stream

	scribe *Scribe
}

// deadline is what a scribe gives each call. One that ends by it is made again.
const deadline = 10 * time.Second

// passing says whether an error may end by itself, or with another star.
func passing(err error) bool {
	switch peer.CodeOf(err) {
	case peer.Indeterminate, peer.NotAppended, peer.Unavailable, peer.Retry, peer.NotOwner, peer.AtCapacity, peer.Shed:
		return true
	default:
		return false
	}
}

// within makes a call with a deadline until it ends with no error, or one that lasts, or ctx ends.
func (c *Scribe) within(ctx context.Context, call func(ctx context.Context) error) error {
	for {
		limited, cancel := c.WithTimeout(ctx, deadline)
		err := call(limited)
		cancel()
		if err == nil || !passing(err) || ctx.Err() != nil {
			return err
		}
	}
}

// Open opens a producer, in as many tries as it takes.
func (c *Scribe) Open(ctx context.Context, stream *workload.Stream, opts client.ProducerOptions) (pen *Pen, err error) {
	err = c.within(ctx, func(ctx context.Context) error {
		op := c.hand.Open(stream, opts.Token)
		p, err := c.Client.OpenProducer(ctx, stream.Name, opts)
		if err != nil {
			op.Refused(err)
			return err
		}
		op.Opened(p.Opened())
		pen = &Pen{Producer: p, Stream: stream, scribe: c}
		return nil
	})
	return pen, err
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

// WriteAll appends n lines. One whose outcome is not known, or that was not appended, is followed by a new one. The error is
// one that lasts, or ctx's.
func (p *Pen) WriteAll(ctx context.Context, n int) error {
	for range n {
		err := p.scribe.within(ctx, func(ctx context.Context) error {
			_, err := p.Write(ctx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Tail asks for the linearizable tail, in as many tries as it takes.
func (c *Scribe) Tail(ctx context.Context, stream *workload.Stream) (next uint64, err error) {
	err = c.within(ctx, func(ctx context.Context) error {
		op := c.hand.Tail(stream)
		reply, err := c.Client.Tail(ctx, stream.Name)
		if err != nil {
			op.Refused(err)
			return err
		}
		op.Told(reply.Next)
		next = reply.Next
		return nil
	})
	return next, err
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
	op.Got(reply)
	return reply, nil
}
