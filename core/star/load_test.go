package star_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	corefleet "github.com/novastream/nova/core/fleet"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// TestLoadIsPublished: placement weighs stars by the bytes that their leaderships carry, so a star publishes what it is
// offered, and nothing once its producers have left.
func TestLoadIsPublished(t *testing.T) {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	f := fleets.New(w, fleets.Config{Stars: 1})
	f.Start()
	p, c := f.Client("client")
	load := func(ctx context.Context) float64 {
		stars, err := corefleet.ReadSnapshot(ctx, f.Meta.Spaces(p).Ephemeral)
		if err != nil || len(stars.Stars()) != 1 {
			t.Error(stars, err)
			return 0
		}
		return stars.Stars()[0].AppendBytesPerSecond
	}
	done := false
	p.Go("story", func(ctx context.Context) {
		defer func() { done = true }()
		if _, err := c.CreateBucket(ctx, peer.Bucket{Name: "logs", CreateOnOpen: true}); err != nil {
			t.Error(err)
		}
		producer, err := c.OpenProducer(ctx, peer.StreamName{Bucket: "logs", Key: "app"}, client.ProducerOptions{Create: true})
		if err != nil {
			t.Error(err)
			return
		}
		for range 200 { // 10,000 bytes each tenth of a second
			if _, err := producer.Append(ctx, peer.Batch{Records: []peer.Record{{Body: make([]byte, 10_000)}}}); err != nil {
				t.Error(err)
			}
			_ = p.Sleep(ctx, 100*time.Millisecond)
		}
		if got := load(ctx); got < 50_000 || got > 110_000 {
			t.Errorf("it publishes %v bytes per second of appends", got)
		}
		_ = p.Sleep(ctx, 30*time.Second)
		if got := load(ctx); got != 0 {
			t.Errorf("without producers it publishes %v bytes per second", got)
		}
	})
	if err := w.RunUntil(5*time.Minute, func() bool { return done }); err != nil {
		t.Fatal(err)
	}
}
