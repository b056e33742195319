package oxiatest

import (
	"net"
	"sync"
	"time"
)

// lateListener gives connections on which everything that the server says reaches the client later by so much, in order, and
// any number of pieces on their way at once: the way of a server that is far, or that syncs before it answers.
type lateListener struct {
	net.Listener
	by time.Duration
}

func (l lateListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	late := &lateConn{Conn: conn, by: l.by, pieces: make(chan piece, 1<<12), closed: make(chan struct{})}
	go late.deliver()
	return late, nil
}

type piece struct {
	due   time.Time
	bytes []byte
}

type lateConn struct {
	net.Conn
	by     time.Duration
	pieces chan piece
	once   sync.Once
	closed chan struct{}
}

// Write takes a piece. What becomes of it shows in later ones.
func (c *lateConn) Write(p []byte) (int, error) {
	select {
	case c.pieces <- piece{time.Now().Add(c.by), append([]byte(nil), p...)}:
		return len(p), nil
	case <-c.closed:
		return 0, net.ErrClosed
	}
}

// deliver sends pieces when they are due, until the connection breaks or closes.
func (c *lateConn) deliver() {
	for {
		select {
		case p := <-c.pieces:
			time.Sleep(time.Until(p.due))
			if _, err := c.Conn.Write(p.bytes); err != nil {
				_ = c.Close() // the server finds it closed
				return
			}
		case <-c.closed:
			return
		}
	}
}

// Close drops what is on its way.
func (c *lateConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
