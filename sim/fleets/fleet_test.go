package fleets_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// lines appends n records one by one and returns their bodies.
func lines(ctx context.Context, t *testing.T, p *client.Producer, c *client.Client, from, n int) {
	t.Helper()
	for i := range n {
		ack, err := p.Append(ctx, peer.Batch{Records: []peer.Record{{Body: []byte(fmt.Sprint("line ", from+i))}}})
		if peer.Is(err, peer.Indeterminate) && p.Opened().Mode == peer.ModeAny {
			settle(ctx, t, p, c, uint64(from+i))
			continue
		}
		if err != nil || ack.First != uint64(from+i) {
			t.Errorf("append %d: %+v, %v", from+i, ack, err)
			return
		}
	}
}

// settle finds out, as a careful producer does, whether the record whose append ended indeterminate is at seq, and appends it
// by a match seq where it is not.
func settle(ctx context.Context, t *testing.T, p *client.Producer, c *client.Client, seq uint64) {
	t.Helper()
	body := []byte(fmt.Sprint("line ", seq))
	_, err := p.Append(ctx, peer.Batch{Records: []peer.Record{{Body: body}}, MatchSeq: &seq})
	if err == nil {
		return
	}
	reply, fetchErr := c.Fetch(ctx, peer.FetchRequest{Stream: peer.StreamName{Bucket: "logs", Key: "a/b"}, From: seq})
	if !peer.Is(err, peer.MatchFailed) || fetchErr != nil || len(reply.Records) != 1 || string(reply.Records[0].Body) != string(body) {
		t.Errorf("settle %d: %v; %+v, %v", seq, err, reply, fetchErr)
	}
}

// same reads the stream from the start and compares it with n lines.
func same(ctx context.Context, t *testing.T, c *client.Client, stream peer.StreamName, n int) {
	t.Helper()
	seen := 0
	for from := uint64(0); seen < n; {
		reply, err := c.Fetch(ctx, peer.FetchRequest{Stream: stream, From: from})
		if err != nil || len(reply.Records) == 0 {
			t.Errorf("fetch from %d: %+v, %v", from, reply, err)
			return
		}
		for _, r := range reply.Records {
			if string(r.Body) != fmt.Sprint("line ", seen) || r.Seq != uint64(seen) {
				t.Errorf("record %d is %q at %d", seen, r.Body, r.Seq)
			}
			seen++
		}
		from = reply.Next
	}
	if tail, err := c.Tail(ctx, stream); err != nil || tail.Next != uint64(n) {
		t.Errorf("tail %+v, %v; want %d", tail, err, n)
	}
}

// TestFailover appends to a stream, kills its leader, goes on through another star, and reads everything back.
func TestFailover(t *testing.T) {
	for _, class := range []peer.Class{peer.ClassStandard, peer.ClassExpress} {
		for _, mode := range []peer.Mode{peer.ModeAny, peer.ModeFenced} {
			t.Run(fmt.Sprint(class, " ", mode), func(t *testing.T) {
				for seed := range uint64(5) {
					failover(t, seed, class, mode)
				}
			})
		}
	}
}

func failover(t *testing.T, seed uint64, class peer.Class, mode peer.Mode) {
	w := sim.New(sim.Config{Seed: seed})
	defer w.Close()
	f := fleets.New(w, fleets.Config{Stars: 3})
	f.Start()
	p, c := f.Client("client")
	stream := peer.StreamName{Bucket: "logs", Key: "a/b"}
	done := false
	p.Go("story", func(ctx context.Context) {
		if _, err := c.CreateBucket(ctx, peer.Bucket{Name: "logs"}); err != nil {
			t.Error(err)
		}
		if _, err := c.CreateStream(ctx, peer.CreateStreamRequest{Stream: stream, Class: class, Mode: mode}); err != nil {
			t.Error(err)
		}
		producer, err := c.OpenProducer(ctx, stream, client.ProducerOptions{ExactlyOnce: mode == peer.ModeFenced})
		if err != nil {
			t.Error(err)
			return
		}
		lines(ctx, t, producer, c, 0, 50)
		same(ctx, t, c, stream, 50)
		for _, s := range f.Stars {
			if s.Name == producer.Opened().Addr {
				s.Crash()
			}
		}
		lines(ctx, t, producer, c, 50, 50)
		same(ctx, t, c, stream, 100)
		_ = producer.Close(ctx)
		done = true
	})
	if err := w.RunUntil(5*time.Minute, func() bool { return done }); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
}
