package simpeer_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
	"github.com/novastream/nova/sim/simpeer"
)

const addr = "a1:7000"

type fixture struct {
	*testing.T
	world        *sim.World
	net          *simnet.Network
	peers        *simpeer.Peers
	home, client *sim.Process // of the star, and of its caller
	star         *iotest.ScriptedStar
	ended        int  // slow calls whose context ended
	hold         bool // held sessions take nothing
}

func newFixture(t *testing.T, seed uint64) *fixture {
	w := sim.New(sim.Config{Seed: seed})
	t.Cleanup(w.Close)
	net := simnet.New(w, simnet.Config{})
	f := &fixture{T: t, world: w, net: net, peers: simpeer.New(net), home: w.Process("a1"), client: w.Process("c1")}
	f.star = iotest.NewScriptedStar(f.home, nil)
	return f
}

// newServing is a fixture whose star listens.
func newServing(t *testing.T, seed uint64) *fixture {
	f := newFixture(t, seed)
	f.peers.Listen(f.home, addr, f.star)
	return f
}

// slow makes every call take d at the star.
func (f *fixture) slow(d time.Duration) {
	f.star.Reply = func(ctx context.Context, _ iotest.Asked) (any, error) {
		err := f.home.Sleep(ctx, d)
		if err != nil {
			f.ended++
		}
		return nil, err
	}
}

// held makes sessions take nothing until release.
func (f *fixture) held() {
	f.hold = true
	f.star.Take = func(ctx context.Context, _ int) error { return f.star.Until(ctx, func() bool { return !f.hold }) }
}

func (f *fixture) release() {
	f.hold = false
	f.star.Changed()
}

// closed counts handles that were given back.
func (f *fixture) closed() (closes int) {
	for _, s := range f.star.Sessions {
		closes += s.Closes
	}
	return closes
}

func (f *fixture) dial() peer.Star { return f.peers.Network(f.client).Dial(addr) }

func (f *fixture) run(d time.Duration) {
	f.Helper()
	if err := f.world.RunFor(d); err != nil {
		f.Fatal(err)
	}
}

func batch(body string) peer.Batch { return peer.Batch{Records: []peer.Record{{Body: []byte(body)}}} }
