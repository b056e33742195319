package client_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simpeer"
	"github.com/novastream/nova/sim/stage"
	"github.com/novastream/nova/sim/workload"
)

// ordeal has an exactly-once producer of a Fenced stream write lines, pipelined, while something goes wrong, and checks that
// the stream holds each of them once, in order, and nothing else.
func ordeal(t *testing.T, seed uint64, class peer.Class, lines int, wrong func(s *stage.Stage, stream *workload.Stream)) {
	t.Helper()
	w := sim.New(sim.Config{Seed: seed})
	defer w.Close()
	s := stage.New(w, fleets.Config{Stars: 3})
	if err := s.Boot(); err != nil {
		t.Fatal(err)
	}
	stream, err := s.Create("ordeal", peer.ModeFenced, class)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Scribe("c")
	sent, received := 0, 0
	c.Go("produce", func(ctx context.Context) {
		p, err := c.Client.OpenProducer(ctx, stream.Name, client.ProducerOptions{ExactlyOnce: true})
		if err != nil {
			t.Error(err)
			return
		}
		c.Go("receive", func(ctx context.Context) {
			for ; received < lines; received++ {
				if ack, err := p.Recv(ctx); err != nil || ack.Err != nil || ack.First != uint64(received) {
					t.Errorf("seed %d: line %d: %+v, %v", seed, received, ack, err)
				}
			}
		})
		for ; sent < lines; sent++ {
			if err := p.Send(ctx, peer.Batch{Records: []peer.Record{{Body: fmt.Appendf(nil, "line %d", sent)}}}); err != nil {
				t.Errorf("seed %d: sending line %d: %v", seed, sent, err)
			}
			if sent%7 == 0 {
				_ = c.Sleep(ctx, 3*time.Millisecond)
			}
		}
	})
	wrong(s, stream)
	if err := w.RunUntil(stage.Patience, func() bool { return received == lines }); err != nil {
		t.Fatalf("seed %d: %d of %d received: %v", seed, received, lines, err)
	}
	err = c.Do(func(ctx context.Context) error {
		for i := 0; i < lines; {
			reply, err := c.Client.Fetch(ctx, peer.FetchRequest{Stream: stream.Name, From: uint64(i)})
			if err != nil {
				return err
			}
			for _, r := range reply.Records {
				if string(r.Body) != fmt.Sprint("line ", i) {
					t.Fatalf("seed %d: at %d stands %q", seed, i, r.Body)
				}
				i++
			}
		}
		tail, err := c.Client.Tail(ctx, stream.Name)
		if err == nil && tail.Next != uint64(lines) {
			t.Errorf("seed %d: the tail is %d", seed, tail.Next)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var classes = []peer.Class{peer.ClassStandard, peer.ClassExpress}

// TestExactlyOnceAcrossALeaderCrash: the leader dies with batches in every state, and comes back or not.
func TestExactlyOnceAcrossALeaderCrash(t *testing.T) {
	for _, class := range classes {
		for seed := range uint64(6) {
			ordeal(t, seed, class, 300, func(s *stage.Stage, stream *workload.Stream) {
				_ = s.World.RunUntil(time.Minute, func() bool { return s.At(stream) != nil })
				_ = s.Pass(time.Duration(20+seed*10) * time.Millisecond)
				leader := s.At(stream)
				leader.Crash()
				if seed%2 == 0 {
					leader.Start()
				}
			})
		}
	}
}

// TestExactlyOnceAcrossResets: connections are reset where answers were due; what was requested was done.
func TestExactlyOnceAcrossResets(t *testing.T) {
	for _, class := range classes {
		for seed := range uint64(6) {
			ordeal(t, seed, class, 300, func(s *stage.Stage, stream *workload.Stream) {
				s.Peers.SetFaults(simpeer.Faults{Reset: 3 * sim.Percent})
				_ = s.Pass(10 * time.Second)
				s.Peers.SetFaults(simpeer.Faults{})
			})
		}
	}
}

// TestExactlyOnceAcrossAHandover: the leader stops cleanly under the producer.
func TestExactlyOnceAcrossAHandover(t *testing.T) {
	for _, class := range classes {
		for seed := range uint64(6) {
			ordeal(t, seed, class, 300, func(s *stage.Stage, stream *workload.Stream) {
				_ = s.World.RunUntil(time.Minute, func() bool { return s.At(stream) != nil })
				_ = s.Pass(time.Duration(20+seed*10) * time.Millisecond)
				s.At(stream).Stop(30 * time.Second)
			})
		}
	}
}

// TestExactlyOnceInABadNetwork: messages are lost in either direction, and requests delivered twice.
func TestExactlyOnceInABadNetwork(t *testing.T) {
	for seed := range uint64(6) {
		ordeal(t, seed, peer.ClassExpress, 300, func(s *stage.Stage, stream *workload.Stream) {
			for _, star := range s.Stars {
				s.Net.Lose("c", star.Name, 2*sim.Percent)
				s.Net.Lose(star.Name, "c", 2*sim.Percent)
			}
			_ = s.Pass(30 * time.Second)
			s.Net.Heal()
		})
	}
}
