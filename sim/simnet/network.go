package simnet

import (
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/sim"
)

// Config is what a Network is made from. Zero values take the defaults.
type Config struct {
	Local    sim.Latency   // one way, inside a zone or to a regional service; 200µs to 600µs
	Cross    sim.Latency   // one way, between two zones; 800µs to 2ms
	Patience time.Duration // how long a caller waits for an answer that was lost before it gives up; 3s
}

func (c Config) withDefaults() Config {
	if c.Local == (sim.Latency{}) {
		c.Local = sim.Latency{Base: 200 * time.Microsecond, Spread: 400 * time.Microsecond, TailRate: sim.PerMille, Tail: 20 * time.Millisecond}
	}
	if c.Cross == (sim.Latency{}) {
		c.Cross = sim.Latency{Base: 800 * time.Microsecond, Spread: 1200 * time.Microsecond, TailRate: sim.PerMille, Tail: 40 * time.Millisecond}
	}
	if c.Patience == 0 {
		c.Patience = 3 * time.Second
	}
	return c
}

// Faults are the faults of the whole network that fire at a rate.
type Faults struct {
	Loss       sim.Rate      // a message is lost, and with it the connection it was on
	Delay      sim.Rate      // a message is held back, and overtaken by later ones
	DelayUpto  time.Duration // by at most this much
	Duplicates sim.Rate      // a request that may be repeated is delivered twice
}

// Network is all links between endpoints.
type Network struct {
	world  *sim.World
	cfg    Config
	faults Faults
	dice   map[string]*rand.Rand // of each endpoint
	zones  map[string]string
	links  map[link]*state // those that are not as new
	alone  map[string]bool
	quiet  bool // no link is special and nobody is alone
}

type link struct{ from, to string }

type state struct {
	cut  bool
	loss sim.Rate
	slow sim.Latency
}

// New makes a network without faults.
func New(w *sim.World, cfg Config) *Network {
	return &Network{
		world: w, cfg: cfg.withDefaults(), dice: map[string]*rand.Rand{},
		zones: map[string]string{}, links: map[link]*state{}, alone: map[string]bool{}, quiet: true,
	}
}

// World is the world of the network.
func (n *Network) World() *sim.World { return n.world }

// Patience is how long a caller waits for an answer that does not come.
func (n *Network) Patience() time.Duration { return n.cfg.Patience }

// SetFaults sets the faults that fire at a rate.
func (n *Network) SetFaults(f Faults) { n.faults = f }

// SetZone places an endpoint in a zone. One without a zone is near to all.
func (n *Network) SetZone(endpoint, zone string) { n.zones[endpoint] = zone }

// Send is one message on its way: its delay, or that it is lost.
func (n *Network) Send(from, to string) (delay time.Duration, arrives bool) {
	base := n.cfg.Local
	if a, b := n.zones[from], n.zones[to]; a != b && a != "" && b != "" {
		base = n.cfg.Cross
	}
	dice := n.Dice(from)
	delay = base.Draw(dice)
	if n.world.Hit("network.loss", from, n.faults.Loss, dice) {
		return 0, false
	}
	if held, by := n.world.HitBy("network.delay", from, n.faults.Delay, dice, n.faults.DelayUpto); held {
		delay += by
	}
	if n.quiet {
		return delay, true
	}
	if n.Severed(from, to) {
		n.world.CountFault("network.partition", from)
		return 0, false
	}
	if s := n.links[link{from, to}]; s != nil {
		if s.loss.Hits(dice) {
			n.world.CountFault("network.loss", from)
			return 0, false
		}
		delay += s.slow.Draw(dice)
	}
	return delay, true
}

// Duplicates draws whether a request of a process that may be repeated is delivered twice.
func (n *Network) Duplicates(from string) bool {
	return n.world.Hit("network.duplicate", from, n.faults.Duplicates, n.Dice(from))
}

// Dice are those of an endpoint: they say how long what it sends and asks for takes. Those of others do not change what it
// throws.
func (n *Network) Dice(endpoint string) *rand.Rand {
	dice := n.dice[endpoint]
	if dice == nil {
		dice = n.world.Dice("network/" + endpoint)
		n.dice[endpoint] = dice
	}
	return dice
}

// Severed says whether messages from one endpoint to another are all lost now.
func (n *Network) Severed(from, to string) bool {
	if n.quiet || from == to {
		return false
	}
	if n.alone[from] || n.alone[to] {
		return true
	}
	s := n.links[link{from, to}]
	return s != nil && s.cut
}
