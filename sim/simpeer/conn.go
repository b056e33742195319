package simpeer

import (
	"time"

	"github.com/novastream/nova/sim"
)

// conn is the way between the two sides of one call or session: near is the caller's, far the star's. A side that is done
// hears no more.
type conn struct {
	peers    *Peers
	from, to *end // to is nil until the first message arrived
	fromAt   int  // where it stands in from.conns, and in to.conns
	toAt     int
	host     string // the endpoint of the far side
	addr     string
	near     nearSide
	far      farSide
	nearDone bool
	farDone  bool
	up, down time.Duration // the last arrival in each direction
	closed   bool
	breaking bool // nothing sent from now on arrives
}

type nearSide interface {
	// nearBroken says that the way broke; the caller will hear no more of its request.
	nearBroken(reason string)
}

type farSide interface {
	// farBroken says that the way broke; the caller is gone.
	farBroken()
}

func (x *Peers) connect(c *conn, p *sim.Process, addr string, near nearSide, far farSide) {
	c.peers, c.addr, c.near, c.far = x, addr, near, far
	c.from = x.end(p)
	c.host = addr
	if l := x.listeners[addr]; l != nil {
		c.host = l.process.Name()
	}
	c.fromAt = len(c.from.conns)
	c.from.conns = append(c.from.conns, c)
}

// attach makes a process the far side. The first message calls it.
func (c *conn) attach(p *sim.Process) {
	c.to = c.peers.end(p)
	c.toAt = len(c.to.conns)
	c.to.conns = append(c.to.conns, c)
	if !c.from.process.Alive() { // it died while its first message was under way
		c.peers.world.After(c.news(c.from, c.to, c.up), c.breakFar)
	}
}

// close takes the conn out of the books, once both sides are done.
func (c *conn) close() {
	if !c.nearDone || !c.farDone || c.closed {
		return
	}
	c.closed = true
	if c.to != nil {
		c.to.drop(c.toAt)
	}
	c.from.drop(c.fromAt)
}

// drop takes the conn at a position out of the books of a process that lives.
func (e *end) drop(i int) {
	last := len(e.conns) - 1
	if last < 0 { // it died: its books are closed
		return
	}
	moved := e.conns[last]
	if moved.from == e && moved.fromAt == last {
		moved.fromAt = i
	} else {
		moved.toAt = i
	}
	e.conns[i] = moved
	e.conns[last] = nil
	e.conns = e.conns[:last]
}

func (c *conn) joins(one, other string) bool {
	a, b := c.from.process.Name(), c.host
	return a == one && b == other || a == other && b == one
}

// sendUp carries a message to the far side.
func (c *conn) sendUp(deliver func()) {
	delay, arrives := c.peers.net.Send(c.from.process.Name(), c.host)
	if !arrives || c.breaking {
		c.lose()
		return
	}
	w := c.peers.world
	c.up = max(c.up+1, w.Now()+delay)
	w.At(c.up, func() {
		if !c.farDone {
			deliver()
		}
	})
}

// sendDown carries a message to the near side.
func (c *conn) sendDown(deliver func()) {
	x := c.peers
	if x.world.Hit("network.reset", c.host, x.faults.Reset, x.net.Dice(c.host)) {
		c.reset()
		return
	}
	delay, arrives := x.net.Send(c.host, c.from.process.Name())
	if !arrives || c.breaking {
		c.lose()
		return
	}
	c.down = max(c.down+1, x.world.Now()+delay)
	x.world.At(c.down, func() {
		if !c.nearDone {
			deliver()
		}
	})
}

// lose is the loss of a message: each side finds out in its own time.
func (c *conn) lose() {
	if c.breaking {
		return
	}
	c.breaking = true
	c.peers.world.After(c.patience(), c.breakNear)
	c.peers.world.After(c.patience(), c.breakFar)
}

// reset breaks the way at once; what is on it is lost.
func (c *conn) reset() {
	c.breaking = true
	c.peers.world.After(0, c.breakNear)
	c.peers.world.After(0, c.breakFar)
}

// died tells the other side that one is dead: soon, where the network carries the news.
func (c *conn) died(e *end) {
	other, last, told := c.to, c.up, c.breakFar
	if e == c.to {
		c.farDone = true
		other, last, told = c.from, c.down, c.breakNear
	} else {
		c.nearDone = true
	}
	c.close()
	if other != nil && other != e {
		c.peers.world.After(c.news(e, other, last), told)
	}
}

// news is how long the news of a death takes: after the last message, unless the network swallows it.
func (c *conn) news(dead, other *end, last time.Duration) time.Duration {
	delay, arrives := c.peers.net.Send(dead.process.Name(), other.process.Name())
	if !arrives {
		return c.patience()
	}
	return max(delay, last+1-c.peers.world.Now())
}

func (c *conn) patience() time.Duration {
	most := c.peers.net.Patience()
	return most/4 + sim.Upto(c.peers.net.Dice(c.from.process.Name()), most*3/4)
}

func (c *conn) breakNear() {
	if c.nearDone {
		return
	}
	c.nearDone = true
	c.near.nearBroken("the connection broke")
	c.close()
}

func (c *conn) breakFar() {
	if c.farDone {
		return
	}
	c.farDone = true
	c.far.farBroken()
	c.close()
}

// hangUp is the near side's own end: the far side hears of it later.
func (c *conn) hangUp() {
	if c.nearDone {
		return
	}
	c.nearDone = true
	if c.from.process.Alive() {
		c.sendUp(c.breakFar)
	}
	c.close()
}

// finish is the far side's own end, after its last message.
func (c *conn) finish() {
	c.farDone = true
	c.close()
}
