package simpeer_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
	"github.com/novastream/nova/sim/simpeer"
)

// produce opens a session and, as tasks of the client, sends bodies and collects answers until an error.
type producer struct {
	session peer.Session
	openErr error
	acks    []uint64
	sendErr error
	recvErr error
}

func (f *fixture) produce(bodies ...string) *producer {
	p := &producer{}
	f.client.Go("producer", func(ctx context.Context) {
		if p.session, p.openErr = f.dial().OpenSession(ctx, peer.OpenRequest{}); p.openErr != nil {
			return
		}
		f.client.Go("receiver", func(ctx context.Context) {
			for {
				ack, err := p.session.Recv(ctx)
				if err != nil {
					p.recvErr = err
					return
				}
				p.acks = append(p.acks, ack.First)
			}
		})
		for _, body := range bodies {
			if p.sendErr = p.session.Send(ctx, batch(body)); p.sendErr != nil {
				return
			}
		}
	})
	return p
}

func many(n int) []string { return slices.Repeat([]string{"x"}, n) }

func TestSessionKeepsItsOrder(t *testing.T) {
	for seed := range uint64(20) {
		f := newFixture(t, seed)
		p := f.produce(many(100)...)
		f.run(time.Second)
		if len(p.acks) != 100 || !slices.IsSorted(p.acks) || p.sendErr != nil || p.recvErr != nil {
			t.Fatalf("seed %d: %d acks, %v, %v", seed, len(p.acks), p.sendErr, p.recvErr)
		}
		f.client.Go("close", func(ctx context.Context) {
			if err := p.session.Close(ctx); err != nil {
				t.Error(err)
			}
		})
		f.run(time.Second)
		if f.star.closed != 1 || p.recvErr == nil || f.star.process.Tasks() != 0 {
			t.Errorf("closed %d times, recv %v, %d tasks at the star", f.star.closed, p.recvErr, f.star.process.Tasks())
		}
	}
}

func TestSendWaitsForTheWindow(t *testing.T) {
	f := newFixture(t, 1)
	f.star.hold = true
	sent := 0
	body := make([]byte, 100_000)
	f.client.Go("producer", func(ctx context.Context) {
		s, err := f.dial().OpenSession(ctx, peer.OpenRequest{})
		if err != nil {
			t.Error(err)
			return
		}
		for s.Send(ctx, peer.Batch{Records: []peer.Record{{Body: body}}}) == nil {
			sent++
		}
	})
	f.run(time.Second)
	if sent != 10 {
		t.Errorf("%d batches of 100 kB went into a window of 1 MiB", sent)
	}
	f.star.hold = false
	f.star.changed.Broadcast()
	f.run(time.Second)
	if sent < 100 {
		t.Errorf("%d batches went once the star took them", sent)
	}
}

func TestStarsRefusalComesAfterTheAnswers(t *testing.T) {
	f := newFixture(t, 1)
	p := f.produce("1", "2", "3", "end", "5")
	f.run(time.Second)
	var e *peer.Error
	if !errors.As(p.recvErr, &e) || e.Code != peer.NotOwner || e.Addr != "elsewhere" || len(p.acks) != 3 || f.star.closed != 1 {
		t.Errorf("%d acks, then %v; closed %d times", len(p.acks), p.recvErr, f.star.closed)
	}
}

func TestSessionsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		breaks       func(f *fixture)
		starCloses   bool
		clientErrors bool
	}{
		"the star dies":           {func(f *fixture) { f.star.process.Kill() }, false, true},
		"the client dies":         {func(f *fixture) { f.client.Kill() }, true, false},
		"the client is cut off":   {func(f *fixture) { f.net.Isolate("c1"); f.star.hold = false; f.star.changed.Broadcast() }, true, true},
		"the connection is reset": {func(f *fixture) { f.peers.Reset("a1", "c1") }, true, true},
		"the client's task stops": {func(f *fixture) { f.client.Stop() }, true, true},
		"loss": {func(f *fixture) {
			f.net.SetFaults(simnet.Faults{Loss: sim.Always})
			f.star.hold = false
			f.star.changed.Broadcast()
		}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, 1)
			f.star.hold = true
			p := f.produce("1", "2")
			f.run(time.Second)
			if f.star.opened != 1 {
				t.Fatal("not opened")
			}
			c.breaks(f)
			f.run(20 * time.Second)
			if (f.star.closed == 1) != c.starCloses {
				t.Errorf("closed %d times at the star", f.star.closed)
			}
			if c.clientErrors && !peer.Is(p.recvErr, peer.Indeterminate) {
				t.Errorf("the client's Recv ended with %v", p.recvErr)
			}
			if f.star.process.Alive() && f.star.process.Tasks() != 0 {
				t.Errorf("tasks are left at the star: %v", f.world.Waiting())
			}
		})
	}
}

func TestLostBatchLeavesNoHole(t *testing.T) {
	for seed := range uint64(50) {
		f := newFixture(t, seed)
		f.net.SetFaults(simnet.Faults{Loss: 5 * sim.Percent})
		p := f.produce(many(50)...)
		f.run(time.Minute)
		if p.openErr != nil {
			continue
		}
		for i, first := range p.acks {
			if first != uint64(i) {
				t.Fatalf("seed %d: acks %v", seed, p.acks)
			}
		}
		if f.star.closed != f.star.opened && p.recvErr != nil {
			t.Errorf("seed %d: %d opened, %d closed", seed, f.star.opened, f.star.closed)
		}
	}
}

func TestOpenOfADyingClientIsClosed(t *testing.T) {
	f := newFixture(t, 1)
	f.world.JudgeEffects(func(e sim.Effect) sim.Fate {
		if e.Kind == "peer.open-session" {
			return sim.After
		}
		return sim.Normal
	})
	f.produce()
	f.run(time.Minute)
	if f.client.Alive() || f.star.opened != 1 || f.star.closed != 1 {
		t.Errorf("opened %d, closed %d", f.star.opened, f.star.closed)
	}
}

func TestFatesOfAcks(t *testing.T) {
	for _, c := range []struct {
		fate sim.Fate
		acks int
		dies bool
	}{{sim.Before, 0, true}, {sim.After, 1, true}, {sim.Refused, 0, false}} {
		f := newFixture(t, 1)
		f.world.JudgeEffects(func(e sim.Effect) sim.Fate {
			if e.Kind == "peer.answer" && e.Target == "ack" {
				return c.fate
			}
			return sim.Normal
		})
		p := f.produce("1", "2")
		f.run(time.Minute)
		if len(p.acks) != c.acks || f.star.process.Alive() == c.dies || !peer.Is(p.recvErr, peer.Indeterminate) {
			t.Errorf("%v: %d acks, star alive %v, %v", c.fate, len(p.acks), f.star.process.Alive(), p.recvErr)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	peers := simpeer.New(simnet.New(w, simnet.Config{}))
	star := &fake{process: w.Process("a1")}
	client := w.Process("c1")
	peers.Listen(star.process, "a1:7000", star)
	client.Go("producer", func(ctx context.Context) {
		s, _ := peers.Network(client).Dial("a1:7000").OpenSession(ctx, peer.OpenRequest{})
		for s.Send(ctx, batch("some body")) == nil {
			_, _ = s.Recv(ctx)
		}
	})
	b.ReportAllocs()
	for b.Loop() {
		tail := star.tail
		for star.tail == tail {
			w.Step()
		}
	}
}
