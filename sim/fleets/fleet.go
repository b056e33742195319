package fleets

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/star"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simdisk"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
	"github.com/novastream/nova/sim/simpeer"
)

// Config is what a fleet is made from. Zero values take the defaults.
type Config struct {
	Stars          int // 5
	Zones          int // zonal stores of the Express class; 3
	SessionTimeOut time.Duration
	Limits         leadership.Limits
	Bugs           planted.Set
}

func (c Config) withDefaults() Config {
	if c.Stars == 0 {
		c.Stars = 5
	}
	if c.Zones == 0 {
		c.Zones = 3
	}
	if c.SessionTimeOut == 0 {
		c.SessionTimeOut = 15 * time.Second
	}
	if c.Limits == (leadership.Limits{}) {
		c.Limits = leadership.DefaultLimits()
	}
	return c
}

// Fleet is one installation in a world.
type Fleet struct {
	World   *sim.World
	Net     *simnet.Network
	Meta    *simmeta.Store
	Peers   *simpeer.Peers
	Objects *simblob.Store   // the regional store
	Zones   []*simblob.Store // the zonal ones
	Stars   []*Star

	cfg    Config
	places int // made so far
}

// Star is a place in the fleet where one process after another serves, with the disk that they share.
type Star struct {
	Name    string // of its processes, and its address
	Zone    string
	Disk    *simdisk.Disk
	Process *sim.Process // the latest process life; nil before the first
	Serving *star.Star   // nil until the process has booted
	Newer   bool         // processes that are started there are of the next version: see Foreign

	stopped *sim.Process // the latest that was told to stop
	fleet   *Fleet
}

// New builds a fleet of which nothing is started.
func New(w *sim.World, cfg Config) *Fleet {
	cfg = cfg.withDefaults()
	net, copies := simnet.New(w, simnet.Config{}), simblob.NewCopies()
	f := &Fleet{
		World: w, Net: net, cfg: cfg, Peers: simpeer.New(net),
		Meta:    simmeta.New(net, simmeta.Config{SessionTimeOut: cfg.SessionTimeOut}),
		Objects: simblob.New(net, "store", simblob.Config{Copies: copies}),
	}
	for i := range cfg.Zones {
		zonal := simblob.Zonal()
		zonal.Copies = copies
		store := simblob.New(net, zoneName(i), zonal)
		net.SetZone(store.Endpoint(), zoneName(i))
		f.Zones = append(f.Zones, store)
	}
	for range cfg.Stars {
		f.Add()
	}
	return f
}

// Add makes a place for one more star, which is not started. Places are never made twice.
func (f *Fleet) Add() *Star {
	s := &Star{Name: fmt.Sprintf("star-%d", f.places+1), Zone: zoneName(f.places % f.cfg.Zones), Disk: simdisk.New(f.World), fleet: f}
	f.places++
	f.Net.SetZone(s.Name, s.Zone)
	f.Stars = append(f.Stars, s)
	return s
}

// Remove takes a place out of the fleet: nothing is started there any more. What runs there ends by itself.
func (f *Fleet) Remove(s *Star) {
	f.Stars = slices.DeleteFunc(slices.Clone(f.Stars), func(other *Star) bool { return other == s })
}

func zoneName(i int) string { return "zone-" + string(rune('a'+i)) }

// Stores are all stores, the regional one first.
func (f *Fleet) Stores() []*simblob.Store { return append([]*simblob.Store{f.Objects}, f.Zones...) }

// Start starts every star that is not alive.
func (f *Fleet) Start() {
	for _, s := range f.Stars {
		s.Start()
	}
}

// SessionTimeOut is that of the metastore's sessions.
func (f *Fleet) SessionTimeOut() time.Duration { return f.cfg.SessionTimeOut }

// Alive says whether a process life goes on.
func (s *Star) Alive() bool { return s.Process != nil && s.Process.Alive() }

// Steady says whether a process serves that was not told to stop.
func (s *Star) Steady() bool { return s.Alive() && s.Serving != nil && s.stopped != s.Process }

// Start starts a new process life unless one is alive. It boots by itself; what keeps it from booting is tried again.
func (s *Star) Start() {
	if s.Alive() {
		return
	}
	p := s.fleet.World.Process(s.Name)
	s.Process, s.Serving = p, nil
	p.Go("boot", func(ctx context.Context) {
		for {
			serving, err := star.Boot(ctx, s.config(p))
			if err == nil {
				s.Serving = serving
				s.fleet.Peers.Listen(p, s.Name, serving)
				return
			}
			p.Note("boot failed", "why", err)
			if p.Sleep(ctx, time.Second) != nil {
				return
			}
		}
	})
}

func (s *Star) config(p *sim.Process) star.Config {
	f := s.fleet
	cfg := star.Config{
		Run: p, Meta: s.spaces(p), Disk: s.Disk.Client(p), Peers: f.Peers.Network(p), Objects: f.Objects.Client(p),
		Addr: s.Name, Location: s.Zone, Version: "simulated", SessionTimeout: f.cfg.SessionTimeOut,
		AbsorbFanout: 4096, Limits: f.cfg.Limits, Bugs: f.cfg.Bugs,
	}
	for i, zone := range f.Zones {
		cfg.Express = append(cfg.Express, star.Zone{Name: zoneName(i), Blob: zone.Client(p)})
	}
	return cfg
}

// Crash kills the process at this instant.
func (s *Star) Crash() {
	if s.Alive() {
		s.fleet.Peers.Unlisten(s.Name)
		s.Process.Kill()
		s.Serving = nil
	}
}

// Stop lets the process end cleanly within budget, then kills it. It is a task of the driver.
func (s *Star) Stop(budget time.Duration) {
	if !s.Alive() {
		return
	}
	p, serving := s.Process, s.Serving
	s.stopped = p
	p.Go("stop", func(ctx context.Context) {
		if serving != nil {
			ctx, cancel := p.WithTimeout(ctx, budget)
			defer cancel()
			_ = serving.Stop(ctx) // what did not land is covered by the next opens
		}
		p.Kill()
	})
}

// Client starts a client process that knows every star.
func (f *Fleet) Client(name string) (*sim.Process, *client.Client) {
	p := f.World.Process(name)
	addrs := make([]string, len(f.Stars))
	for i, s := range f.Stars {
		addrs[i] = s.Name
	}
	c, err := client.New(client.Config{Run: p, Network: f.Peers.Network(p), Addrs: addrs, Bugs: f.cfg.Bugs})
	if err != nil {
		panic(err) // a fleet has stars
	}
	return p, c
}
