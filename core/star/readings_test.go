package star_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simmeta"
)

// TestReadings follows a star's numbers through an append, a metastore out of reach for longer than the session, its return,
// and a stop.
func TestReadings(t *testing.T) {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	f := fleets.New(w, fleets.Config{Stars: 1})
	f.Start()
	p, c := f.Client("client")
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
		records := []peer.Record{{Body: make([]byte, 1000)}, {Body: make([]byte, 1000)}}
		if _, err := producer.Append(ctx, peer.Batch{Records: records}); err != nil {
			t.Error(err)
		}
		serving := f.Stars[0].Serving
		r := serving.Readings()
		if !r.Registered || r.Stopping || r.Leading != 1 || r.Sessions != 1 || r.Records != 2 || r.Bytes < 2000 || r.RetainedBytes < 2000 {
			t.Errorf("after an append of 2 records of 1,000 bytes: %+v", r)
		}
		if len(r.Lines) == 0 || !r.Lines[0].Writing || r.Lines[0].AdmittedBytes != 0 {
			t.Errorf("what is acknowledged is decided: %+v", r.Lines)
		}
		_ = p.Sleep(ctx, 10*time.Second)
		if r := serving.Readings(); r.RetainedBytes != 0 || r.Lines[0].Backlog != 0 {
			t.Errorf("ten seconds later refs cover it: %+v", r)
		}
		f.Net.Isolate(simmeta.Endpoint)
		_ = p.Sleep(ctx, 30*time.Second)
		if serving.Readings().Registered {
			t.Error("it counts as registered while the metastore has been out of reach for longer than a session lives")
		}
		f.Net.Rejoin(simmeta.Endpoint)
		_ = p.Sleep(ctx, 30*time.Second)
		if !serving.Readings().Registered {
			t.Error("it does not register again")
		}
		if err := producer.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	if err := w.RunUntil(5*time.Minute, func() bool { return done }); err != nil {
		t.Fatal(err)
	}
	stopped := false
	f.Stars[0].Process.Go("stop", func(ctx context.Context) {
		defer func() { stopped = true }()
		if err := f.Stars[0].Serving.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	if err := w.RunUntil(10*time.Minute, func() bool { return stopped }); err != nil {
		t.Fatal(err)
	}
	if r := f.Stars[0].Serving.Readings(); !r.Stopping || r.Registered || r.Leading != 0 {
		t.Errorf("after a stop: %+v", r)
	}
}
