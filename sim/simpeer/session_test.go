package simpeer_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/novastream/nova/io/iotest"
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

func TestSessionsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		breaks       func(f *fixture)
		starCloses   bool
		clientErrors bool
	}{
		"the star dies":           {func(f *fixture) { f.home.Kill() }, false, true},
		"the client dies":         {func(f *fixture) { f.client.Kill() }, true, false},
		"the client is cut off":   {func(f *fixture) { f.net.Isolate("c1"); f.release() }, true, true},
		"the connection is reset": {func(f *fixture) { f.peers.Reset("a1", "c1") }, true, true},
		"the client's task stops": {func(f *fixture) { f.client.Stop() }, true, true},
		"loss": {func(f *fixture) {
			f.net.SetFaults(simnet.Faults{Loss: sim.Always})
			f.release()
		}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newServing(t, 1)
			f.held()
			p := f.produce("1", "2")
			f.run(time.Second)
			if len(f.star.Sessions) != 1 {
				t.Fatal("not opened")
			}
			c.breaks(f)
			f.run(20 * time.Second)
			if (f.closed() == 1) != c.starCloses {
				t.Errorf("closed %d times at the star", f.closed())
			}
			if c.clientErrors && !peer.Is(p.recvErr, peer.Indeterminate) {
				t.Errorf("the client's Recv ended with %v", p.recvErr)
			}
			if f.home.Alive() && f.home.Tasks() != 0 {
				t.Errorf("tasks are left at the star: %v", f.world.Waiting())
			}
		})
	}
}

func TestLostBatchLeavesNoHole(t *testing.T) {
	for seed := range uint64(50) {
		f := newServing(t, seed)
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
		if f.closed() != len(f.star.Sessions) && p.recvErr != nil {
			t.Errorf("seed %d: %d opened, %d closed", seed, len(f.star.Sessions), f.closed())
		}
	}
}

func TestOpenOfADyingClientIsClosed(t *testing.T) {
	f := newServing(t, 1)
	f.world.JudgeEffects(func(e sim.Effect) sim.Fate {
		if e.Kind == "peer.open-session" {
			return sim.After
		}
		return sim.Normal
	})
	f.produce()
	f.run(time.Minute)
	if f.client.Alive() || len(f.star.Sessions) != 1 || f.closed() != 1 {
		t.Errorf("opened %d, closed %d", len(f.star.Sessions), f.closed())
	}
}

func TestFatesOfAcks(t *testing.T) {
	for _, c := range []struct {
		fate sim.Fate
		acks int
		dies bool
	}{{sim.Before, 0, true}, {sim.After, 1, true}, {sim.Refused, 0, false}} {
		f := newServing(t, 1)
		f.world.JudgeEffects(func(e sim.Effect) sim.Fate {
			if e.Kind == "peer.answer" && e.Target == "ack" {
				return c.fate
			}
			return sim.Normal
		})
		p := f.produce("1", "2")
		f.run(time.Minute)
		if len(p.acks) != c.acks || f.home.Alive() == c.dies || !peer.Is(p.recvErr, peer.Indeterminate) {
			t.Errorf("%v: %d acks, star alive %v, %v", c.fate, len(p.acks), f.home.Alive(), p.recvErr)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	peers := simpeer.New(simnet.New(w, simnet.Config{}))
	home, client := w.Process("a1"), w.Process("c1")
	peers.Listen(home, addr, iotest.NewScriptedStar(home, nil))
	acks := 0
	client.Go("producer", func(ctx context.Context) {
		s, _ := peers.Network(client).Dial(addr).OpenSession(ctx, peer.OpenRequest{})
		for s.Send(ctx, batch("some body")) == nil {
			_, _ = s.Recv(ctx)
			acks++
		}
	})
	b.ReportAllocs()
	for b.Loop() {
		for before := acks; acks == before; {
			w.Step()
		}
	}
}
