package fleets_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// TestOlderProducerIsToldThatItIsFenced: what an exactly-once producer sends after a newer one took its stream over is
// refused as fenced, with the newer token, and is not in the stream.
func TestOlderProducerIsToldThatItIsFenced(t *testing.T) {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	f := fleets.New(w, fleets.Config{Stars: 3})
	f.Start()
	p, c := f.Client("client")
	stream := peer.StreamName{Bucket: "ledgers", Key: "main"}
	batch := func(body string) peer.Batch { return peer.Batch{Records: []peer.Record{{Body: []byte(body)}}} }
	done := false
	p.Go("story", func(ctx context.Context) {
		defer func() { done = true }()
		if _, err := c.CreateBucket(ctx, peer.Bucket{Name: "ledgers", Mode: peer.ModeFenced, CreateOnOpen: true}); err != nil {
			t.Error(err)
		}
		options := client.ProducerOptions{Create: true, ExactlyOnce: true}
		older, err := c.OpenProducer(ctx, stream, options)
		if err != nil {
			t.Error(err)
			return
		}
		if _, err := older.Append(ctx, batch("first")); err != nil {
			t.Error(err)
		}
		newer, err := c.OpenProducer(ctx, stream, options)
		if err != nil {
			t.Error(err)
			return
		}
		_, err = older.Append(ctx, batch("late"))
		if peer.CodeOf(err) != peer.Fenced {
			t.Errorf("the older producer is told: %v", err)
		}
		if ack, err := newer.Append(ctx, batch("second")); err != nil || ack.First != 1 {
			t.Error(ack, err)
		}
	})
	if err := w.RunUntil(5*time.Minute, func() bool { return done }); err != nil {
		t.Fatal(err)
	}
}

// TestProducerDoesNotGoOnInAnotherStream: a producer whose stream is deleted and made anew under its name is told so.
func TestProducerDoesNotGoOnInAnotherStream(t *testing.T) {
	for _, exactly := range []bool{false, true} {
		w := sim.New(sim.Config{Seed: 1})
		defer w.Close()
		f := fleets.New(w, fleets.Config{Stars: 1})
		f.Start()
		p, c := f.Client("client")
		stream := peer.StreamName{Bucket: "logs", Key: "app"}
		batch := peer.Batch{Records: []peer.Record{{Body: []byte("x")}}}
		done := false
		p.Go("story", func(ctx context.Context) {
			defer func() { done = true }()
			if _, err := c.CreateBucket(ctx, peer.Bucket{Name: "logs", CreateOnOpen: true}); err != nil {
				t.Error(err)
			}
			options := client.ProducerOptions{Create: true, ExactlyOnce: exactly}
			old, err := c.OpenProducer(ctx, stream, options)
			if err != nil {
				t.Error(err)
				return
			}
			if err := c.DeleteStream(ctx, stream); err != nil {
				t.Error(err)
			}
			if _, err := c.OpenProducer(ctx, stream, options); err != nil {
				t.Error(err)
			}
			if ack, err := old.Append(ctx, batch); peer.CodeOf(err) != peer.NotFound {
				t.Errorf("exactly-once %v: the old producer is told %+v, %v", exactly, ack, err)
			}
		})
		if err := w.RunUntil(5*time.Minute, func() bool { return done }); err != nil {
			t.Fatal(err)
		}
	}
}
