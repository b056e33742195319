package workload

import (
	"context"
	"fmt"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
)

// shortLife creates a stream, uses it, deletes it and creates it again: nothing of the first one may come back. The name is
// this client's alone; what an earlier life of it left is deleted first.
func (o *oddities) shortLife(ctx context.Context) {
	c, w := o.life.client, o.life.seat.work
	name := peer.StreamName{Bucket: bucketOfAll, Key: "short/life"}
	if err := c.DeleteStream(ctx, name); err != nil && !peer.Is(err, peer.NotFound) {
		return
	}
	req := peer.CreateStreamRequest{
		Stream: name, Mode: one(o.rng, []peer.Mode{peer.ModeAny, peer.ModeFenced}), Class: one(o.rng, []peer.Class{peer.ClassStandard, peer.ClassExpress}),
	}
	for range 2 {
		if _, err := c.CreateStream(ctx, req); err != nil && !peer.Is(err, peer.AlreadyExists) { // a lost answer
			return
		}
		tail, err := c.Tail(ctx, name)
		if err != nil {
			return
		}
		if tail.Next != 0 {
			w.complain("stream %s was created anew and its tail is %d", name, tail.Next)
		}
		if !o.use(ctx, name) || c.DeleteStream(ctx, name) != nil {
			return
		}
		_, err = c.Tail(ctx, name)
		o.expect(fmt.Sprintf("the tail of stream %s, which was deleted,", name), err, peer.NotFound)
		_, err = c.OpenProducer(ctx, name, client.ProducerOptions{})
		o.expect(fmt.Sprintf("opening stream %s, which was deleted,", name), err, peer.NotFound)
	}
}

// use appends a little. False: it did not go.
func (o *oddities) use(ctx context.Context, name peer.StreamName) bool {
	p, err := o.life.client.OpenProducer(ctx, name, client.ProducerOptions{})
	if err != nil {
		return false
	}
	for range o.rng.IntN(4) {
		if _, err := p.Append(ctx, peer.Batch{Records: o.life.seat.work.bodies.batch(o.rng)}); err != nil {
			return false
		}
	}
	if percent(o.rng, 50) {
		_ = p.Close(ctx) // where it does not arrive, the star finds out by itself
	}
	return true
}
