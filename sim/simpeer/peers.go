package simpeer

import (
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
)

// Faults are the faults of calls that fire at a rate.
type Faults struct {
	Reset sim.Rate // a connection is reset where an answer was due: the request was executed, the answer is lost
}

// Peers is the directory of listening stars and of the connections between processes.
type Peers struct {
	world     *sim.World
	net       *simnet.Network
	faults    Faults
	listeners map[string]*listener
	ends      []*end // of processes alive, in order of their first call
	byProcess map[*sim.Process]*end
}

// listener is a star at an address.
type listener struct {
	process *sim.Process
	star    peer.Star
}

// refuses says why no new call is taken, if so.
func (l *listener) refuses() string {
	switch {
	case l == nil || !l.process.Alive():
		return "nobody listens there"
	case l.process.Context().Err() != nil:
		return "it is stopping"
	default:
		return ""
	}
}

// end is one process with the connections it is a side of.
type end struct {
	process *sim.Process
	conns   []*conn
}

// New makes an empty directory.
func New(net *simnet.Network) *Peers {
	return &Peers{
		world: net.World(), net: net, listeners: map[string]*listener{}, byProcess: map[*sim.Process]*end{},
	}
}

// SetFaults sets the faults that fire at a rate.
func (x *Peers) SetFaults(f Faults) { x.faults = f }

// Listen puts a star of a process at an address, in the place of whoever was there.
func (x *Peers) Listen(p *sim.Process, addr string, star peer.Star) {
	x.end(p)
	x.listeners[addr] = &listener{p, star}
}

// Unlisten refuses new calls at an address. Calls under way go on.
func (x *Peers) Unlisten(addr string) { delete(x.listeners, addr) }

// Network is how one process reaches stars.
func (x *Peers) Network(p *sim.Process) peer.Network { return &network{x, p} }

// Reset breaks every connection between two endpoints at this instant. What was requested goes on being executed until the
// break has reached it.
func (x *Peers) Reset(one, other string) {
	x.world.CountFault("network.reset", one)
	for _, e := range append([]*end(nil), x.ends...) {
		for _, c := range append([]*conn(nil), e.conns...) {
			if c.from == e && c.joins(one, other) {
				c.reset()
			}
		}
	}
}

// end is the end of a process, which is told to the other sides when it dies.
func (x *Peers) end(p *sim.Process) *end {
	e := x.byProcess[p]
	if e != nil {
		return e
	}
	e = &end{process: p}
	if !p.Alive() {
		return e
	}
	x.byProcess[p] = e
	x.ends = append(x.ends, e)
	p.OnDeath(func() { x.died(e) })
	return e
}

func (x *Peers) died(e *end) {
	delete(x.byProcess, e.process)
	for i, o := range x.ends {
		if o == e {
			x.ends = append(x.ends[:i], x.ends[i+1:]...)
			break
		}
	}
	conns := e.conns
	e.conns = nil
	for _, c := range conns {
		c.died(e)
	}
}

// network is one process's peer.Network.
type network struct {
	peers   *Peers
	process *sim.Process
}

// Dial is the star at an address. It never waits.
func (n *network) Dial(addr string) peer.Star { return &remote{n.peers, n.process, addr} }
