package rig_test

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/novastream/nova/cmd/nova/rig"
)

// The whiles of these tests: what comes, comes within patience; what does not come within a moment is taken not to come.
const (
	patience = 20 * time.Second
	moment   = 100 * time.Millisecond
)

// echo is a target that answers what it is told.
func echo(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(conn, conn)
				_ = conn.Close()
			}()
		}
	}()
	return listener.Addr().String()
}

func newLink(t *testing.T, target string) *rig.Link {
	t.Helper()
	l, err := rig.NewLink(target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// caller is a connection through a link.
type caller struct {
	*testing.T
	net.Conn
}

func call(t *testing.T, l *rig.Link) caller {
	t.Helper()
	conn, err := net.Dial("tcp", l.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return caller{t, conn}
}

func (c caller) say(text string) {
	c.Helper()
	if _, err := io.WriteString(c.Conn, text); err != nil {
		c.Fatal(err)
	}
}

// hear reads what is long enough for want, and compares.
func (c caller) hear(want string) {
	c.Helper()
	got := make([]byte, len(want))
	_ = c.SetReadDeadline(time.Now().Add(patience))
	if _, err := io.ReadFull(c.Conn, got); err != nil || string(got) != want {
		c.Fatalf("heard %q, %v; want %q", got, err, want)
	}
}

// silence wants that nothing comes.
func (c caller) silence() {
	c.Helper()
	_ = c.SetReadDeadline(time.Now().Add(moment))
	if n, err := c.Read(make([]byte, 1)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		c.Fatalf("heard %d bytes, %v; want silence", n, err)
	}
}

// broken wants that the connection breaks.
func (c caller) broken() {
	c.Helper()
	_ = c.SetReadDeadline(time.Now().Add(patience))
	if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		c.Fatalf("the connection stands: %v", err)
	}
}

func TestAnOpenLinkCarriesBothWays(t *testing.T) {
	c := call(t, newLink(t, echo(t)))
	c.say("one")
	c.hear("one")
	if err := c.Conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(c.Conn); len(rest) != 0 || err != nil {
		t.Errorf("the end of what was said is not the end of what is heard: %q, %v", rest, err)
	}
}

func TestACutLinkBreaksConnectionsOfNowAndLater(t *testing.T) {
	l := newLink(t, echo(t))
	before := call(t, l)
	before.say("one")
	before.hear("one")
	l.Set(rig.Fault{Kind: rig.Cut})
	before.broken()
	if conn, err := net.Dial("tcp", l.Addr()); err == nil { // else it broke before it stood
		caller{t, conn}.broken()
		_ = conn.Close()
	}
	l.Set(rig.Fault{})
	after := call(t, l)
	after.say("two")
	after.hear("two")
}

func TestASilentLinkKeepsWhatItWasGiven(t *testing.T) {
	l := newLink(t, echo(t))
	c := call(t, l)
	c.say("one")
	c.hear("one")
	l.Set(rig.Fault{Kind: rig.Silent})
	c.say("two")
	c.silence()
	l.Set(rig.Fault{})
	c.hear("two")
}

// A deaf link lets a request take effect and keeps its answer; a cut then loses the answer for good.
func TestADeafLinkLosesAnswersAlone(t *testing.T) {
	heard := make(chan string, 1)
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = target.Close() })
	go func() {
		conn, err := target.Accept()
		if err != nil {
			return
		}
		request := make([]byte, 3)
		_, _ = io.ReadFull(conn, request)
		_, _ = conn.Write(request)
		heard <- string(request)
	}()
	l := newLink(t, target.Addr().String())
	c := call(t, l)
	l.Set(rig.Fault{Kind: rig.Deaf})
	c.say("one")
	select {
	case got := <-heard:
		if got != "one" {
			t.Errorf("the target heard %q", got)
		}
	case <-time.After(patience):
		t.Fatal("a request does not pass a deaf link")
	}
	c.silence()
	l.Set(rig.Fault{Kind: rig.Cut})
	c.broken()
}

func TestASlowLinkIsLate(t *testing.T) {
	l := newLink(t, echo(t))
	l.Set(rig.Fault{Kind: rig.Slow, Delay: moment})
	c := call(t, l)
	began := time.Now()
	c.say("one")
	c.hear("one")
	if took := time.Since(began); took < 2*moment {
		t.Errorf("there and back took %v over a link that is slow by %v", took, moment)
	}
}
