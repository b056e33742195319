package star_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/star"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simdisk"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
	"github.com/novastream/nova/sim/simpeer"
)

// site is what a star needs of the world.
type site struct {
	testing.TB
	world   *sim.World
	net     *simnet.Network
	meta    *simmeta.Store
	objects *simblob.Store
	peers   *simpeer.Peers
	disk    *simdisk.Disk
}

func newSite(t testing.TB) *site {
	w := sim.New(sim.Config{Seed: 1})
	t.Cleanup(w.Close)
	net := simnet.New(w, simnet.Config{})
	return &site{
		TB: t, world: w, net: net, meta: simmeta.New(net, simmeta.Config{}), objects: simblob.New(net, "store", simblob.Config{}),
		peers: simpeer.New(net), disk: simdisk.New(w),
	}
}

func (s *site) config(p *sim.Process) star.Config {
	return star.Config{
		Run: p, Meta: s.meta.Spaces(p), Disk: s.disk.Client(p), Peers: s.peers.Network(p), Objects: s.objects.Client(p),
		Addr: "star:1", SessionTimeout: 15 * time.Second, AbsorbFanout: 16, Limits: leadership.DefaultLimits(),
	}
}

// boot boots a process with a changed configuration.
func (s *site) boot(change func(p *sim.Process, c *star.Config)) (p *sim.Process, serving *star.Star, err error) {
	s.Helper()
	p = s.world.Process("star")
	done := false
	p.Go("boot", func(ctx context.Context) {
		ctx, cancel := p.WithTimeout(ctx, time.Minute)
		defer cancel()
		cfg := s.config(p)
		if change != nil {
			change(p, &cfg)
		}
		serving, err = star.Boot(ctx, cfg)
		done = true
	})
	if stuck := s.world.RunUntil(10*time.Minute, func() bool { return done }); stuck != nil {
		s.Fatal(stuck)
	}
	return p, serving, err
}

// do runs a task of a process to its end.
func (s *site) do(p *sim.Process, task func(ctx context.Context)) {
	s.Helper()
	done := false
	p.Go("do", func(ctx context.Context) {
		task(ctx)
		done = true
	})
	if err := s.world.RunUntil(10*time.Minute, func() bool { return done }); err != nil {
		s.Fatal(err)
	}
}

// TestConfigIsChecked: a star does not boot with what it needs missing or out of range.
func TestConfigIsChecked(t *testing.T) {
	for name, change := range map[string]func(p *sim.Process, c *star.Config){
		"no store":        func(_ *sim.Process, c *star.Config) { c.Objects = nil },
		"no metastore":    func(_ *sim.Process, c *star.Config) { c.Meta.Records = nil },
		"no address":      func(_ *sim.Process, c *star.Config) { c.Addr = "" },
		"no session":      func(_ *sim.Process, c *star.Config) { c.SessionTimeout = 0 },
		"no absorb":       func(_ *sim.Process, c *star.Config) { c.AbsorbFanout = 0 },
		"two zones":       func(_ *sim.Process, c *star.Config) { c.Express = make([]star.Zone, 2) },
		"one store twice": nil,
	} {
		s := newSite(t)
		if change == nil {
			zone := simblob.New(s.net, "zone", simblob.Zonal())
			change = func(p *sim.Process, c *star.Config) {
				for _, z := range []string{"a", "b", "c"} {
					c.Express = append(c.Express, star.Zone{Name: z, Blob: zone.Client(p)})
				}
			}
		}
		if _, _, err := s.boot(change); err == nil {
			t.Errorf("%s: it boots", name)
		}
	}
}

// TestIdentityIsTheDisks: a restart on the same disk is the same star, on a wiped one a fresh one; a disk whose identity is
// damaged is refused.
func TestIdentityIsTheDisks(t *testing.T) {
	s := newSite(t)
	p, first, err := s.boot(nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	p, second, err := s.boot(nil)
	if err != nil || second.ID() != first.ID() {
		t.Fatalf("%v; %s after %s", err, second.ID(), first.ID())
	}
	p.Kill()
	s.disk = simdisk.New(s.world)
	p, third, err := s.boot(nil)
	if err != nil || third.ID() == first.ID() {
		t.Fatalf("%v; %s after %s", err, third.ID(), first.ID())
	}
	for _, damaged := range []string{"{", "", `{"star":"A/B"}`} {
		s.do(p, func(ctx context.Context) {
			if err := s.disk.Client(p).Save(ctx, "identity", []byte(damaged)); err != nil {
				t.Error(err)
			}
		})
		p.Kill()
		var told *star.IdentityError
		if p, _, err = s.boot(nil); !errors.As(err, &told) {
			t.Errorf("with the identity %q it boots, or says %v", damaged, err)
		}
	}
}

// TestForeignStore: a store that another installation has marked is refused.
func TestForeignStore(t *testing.T) {
	s := newSite(t)
	p, _, err := s.boot(nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	s.meta = simmeta.New(s.net, simmeta.Config{})
	var foreign *chain.ForeignStoreError
	if _, _, err := s.boot(nil); !errors.As(err, &foreign) {
		t.Errorf("got %v", err)
	}
}

// TestClassWithoutStores: a star that has no zonal stores refuses the Express class where it is asked for.
func TestClassWithoutStores(t *testing.T) {
	s := newSite(t)
	p, serving, err := s.boot(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.do(p, func(ctx context.Context) {
		if _, err := serving.CreateBucket(ctx, peer.Bucket{Name: "b", Class: peer.ClassExpress}); !peer.Is(err, peer.Invalid) {
			t.Errorf("the bucket: %v", err)
		}
		if _, err := serving.CreateBucket(ctx, peer.Bucket{Name: "b"}); err != nil {
			t.Error(err)
		}
		name := peer.StreamName{Bucket: "b", Key: "k"}
		if _, err := serving.CreateStream(ctx, peer.CreateStreamRequest{Stream: name, Class: peer.ClassExpress}); !peer.Is(err, peer.Invalid) {
			t.Errorf("the stream: %v", err)
		}
		if _, err := serving.OpenSession(ctx, peer.OpenRequest{Stream: name, Create: true}); !peer.Is(err, peer.NotFound) {
			t.Errorf("an open that may not create: %v", err)
		}
	})
}

// TestHealth: a star says what it cannot do.
func TestHealth(t *testing.T) {
	s := newSite(t)
	p, serving, err := s.boot(nil)
	if err != nil {
		t.Fatal(err)
	}
	health := func() (h peer.Health) {
		s.do(p, func(ctx context.Context) { h, _ = serving.Health(ctx) })
		return h
	}
	if err := s.world.RunFor(5 * time.Second); err != nil {
		t.Fatal(err)
	}
	if h := health(); h.Status != "serving" || h.Star != string(serving.ID()) || len(h.Warnings) > 0 {
		t.Errorf("%+v", h)
	}
	s.do(p, func(ctx context.Context) {
		if err := serving.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	if h := health(); h.Status != "stopping" || h.Leading != 0 {
		t.Errorf("%+v", h)
	}
}
