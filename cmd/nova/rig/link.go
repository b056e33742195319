package rig

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

// Fault is what is wrong with a link. The zero value is nothing.
type Fault struct {
	Kind  Kind
	Delay time.Duration // of Slow: before each piece of what passes, either way
}

// Kind is how a link fails.
type Kind uint8

// The kinds.
const (
	Open   Kind = iota // nothing is wrong
	Cut                // connections break, and new ones break at once
	Silent             // connections stay and nothing passes, as where packets are dropped
	Deaf               // requests pass, and answers do not
	Slow               // everything passes late
)

// String is the kind in a log.
func (k Kind) String() string { return [...]string{"open", "cut", "silent", "deaf", "slow"}[k] }

// String is the fault in a log.
func (f Fault) String() string {
	if f.Kind == Slow {
		return fmt.Sprint(f.Kind, " by ", f.Delay)
	}
	return f.Kind.String()
}

const (
	pieceBytes  = 64 << 10        // the most that passes at once
	dialTimeout = 5 * time.Second // the target may be stopped
)

// Link is a way of TCP to one target, over a port of this machine.
type Link struct {
	target   string
	listener net.Listener
	tasks    sync.WaitGroup

	mu      sync.Mutex
	fault   Fault
	changed chan struct{} // closed when fault changes, or the link closes
	conns   map[net.Conn]bool
	closed  bool
}

// NewLink opens a link to a target, "host:port". Nobody needs to listen there yet.
func NewLink(target string) (*Link, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("rig: link to %s: %w", target, err)
	}
	l := &Link{target: target, listener: listener, changed: make(chan struct{}), conns: map[net.Conn]bool{}}
	l.tasks.Go(l.accept)
	return l, nil
}

// Addr is where the link begins.
func (l *Link) Addr() string { return l.listener.Addr().String() }

// Set puts a fault in the place of the one before, for connections of now and later.
func (l *Link) Set(f Fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = f
	l.change()
	if f.Kind == Cut {
		l.breakAll()
	}
}

// Close breaks every connection and ends the link.
func (l *Link) Close() error {
	l.mu.Lock()
	l.closed = true
	l.change()
	l.breakAll()
	l.mu.Unlock()
	err := l.listener.Close()
	l.tasks.Wait()
	return err
}

// change wakes those who wait for another fault. The caller holds mu.
func (l *Link) change() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// breakAll breaks every connection. The caller holds mu.
func (l *Link) breakAll() {
	for conn := range l.conns {
		sever(conn)
	}
	clear(l.conns)
}

// sever closes a connection with a reset, so that what was on its way is gone.
func sever(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // the other side may have closed it
	}
	_ = conn.Close()
}

func (l *Link) accept() {
	for {
		conn, err := l.listener.Accept()
		if err != nil {
			return // closed
		}
		if l.keep(conn) {
			l.tasks.Go(func() { l.carry(conn) })
		}
	}
}

// keep takes a connection among those to break, or severs it at once.
func (l *Link) keep(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.fault.Kind == Cut {
		sever(conn)
		return false
	}
	l.conns[conn] = true
	return true
}

// carry carries one connection until either side ends it.
func (l *Link) carry(near net.Conn) {
	far, err := net.DialTimeout("tcp", l.target, dialTimeout)
	if err != nil || !l.keep(far) {
		l.drop(near)
		return
	}
	var back sync.WaitGroup
	back.Go(func() { l.pump(near, far, Silent, Deaf) })
	l.pump(far, near, Silent)
	back.Wait()
	l.drop(near)
	l.drop(far)
}

func (l *Link) drop(conn net.Conn) {
	l.mu.Lock()
	delete(l.conns, conn)
	l.mu.Unlock()
	sever(conn)
}

// pump carries one direction. It stands still while the link has one of these faults.
func (l *Link) pump(to, from net.Conn, stops ...Kind) {
	piece := make([]byte, pieceBytes)
	for {
		n, err := from.Read(piece)
		if !l.pass(stops) {
			return
		}
		if n > 0 {
			if _, err := to.Write(piece[:n]); err != nil {
				sever(from)
				return
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			if tcp, ok := to.(*net.TCPConn); ok {
				_ = tcp.CloseWrite() // it may be closed already
			}
			return
		case err != nil:
			sever(to)
			return
		}
	}
}

// pass waits until a piece may pass. It is false when the link closes.
func (l *Link) pass(stops []Kind) bool {
	for {
		l.mu.Lock()
		fault, changed, closed := l.fault, l.changed, l.closed
		l.mu.Unlock()
		switch {
		case closed:
			return false
		case fault.Kind == Slow:
			late := time.NewTimer(fault.Delay)
			select {
			case <-late.C:
			case <-changed:
				late.Stop()
			}
			return true
		case !slices.Contains(stops, fault.Kind):
			return true
		}
		<-changed
	}
}
