package star_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// TestHealthNamesTheStore: while the store takes nothing, health says which store and why, and once it is back and the
// append has gone through, it says nothing.
func TestHealthNamesTheStore(t *testing.T) {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	f := fleets.New(w, fleets.Config{Stars: 1})
	f.Start()
	p, c := f.Client("client")
	stream := peer.StreamName{Bucket: "logs", Key: "app"}
	warnings := func(ctx context.Context) string {
		h, err := c.Health(ctx, f.Stars[0].Name)
		if err != nil {
			t.Error(err)
		}
		return strings.Join(h.Warnings, "; ")
	}
	done := false
	p.Go("story", func(ctx context.Context) {
		defer func() { done = true }()
		if _, err := c.CreateBucket(ctx, peer.Bucket{Name: "logs", CreateOnOpen: true}); err != nil {
			t.Error(err)
		}
		producer, err := c.OpenProducer(ctx, stream, client.ProducerOptions{Create: true})
		if err != nil {
			t.Error(err)
			return
		}
		f.Objects.SetDark(true)
		if err := producer.Send(ctx, peer.Batch{Records: []peer.Record{{Body: []byte("x")}}}); err != nil {
			t.Error(err)
		}
		if err := p.Sleep(ctx, 5*time.Second); err != nil {
			t.Error(err)
		}
		if text := warnings(ctx); !strings.Contains(text, "took no flight at the last try") {
			t.Errorf("while the store is dark health warns: %q", text)
		}
		f.Objects.SetDark(false)
		if ack, err := producer.Recv(ctx); err != nil || ack.Err != nil {
			t.Error(ack, err)
		}
		if text := warnings(ctx); text != "" {
			t.Errorf("once the store is back health warns: %q", text)
		}
	})
	if err := w.RunUntil(5*time.Minute, func() bool { return done }); err != nil {
		t.Fatal(err)
	}
}
