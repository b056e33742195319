package oxiatest

import (
	"io"
	"net"
	"testing"
	"time"
)

// What a late server says arrives whole, in order, and no sooner than by the latency.
func TestLatency(t *testing.T) {
	const by = 20 * time.Millisecond
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := lateListener{inner, by}
	t.Cleanup(func() { _ = listener.Close() })
	began := time.Now()
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		for _, word := range []string{"one ", "two ", "three"} {
			_, _ = io.WriteString(conn, word)
		}
	}()
	conn, err := net.Dial("tcp", inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	got := make([]byte, len("one two three"))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != "one two three" || time.Since(began) < by {
		t.Errorf("%q, %v after %v", got, err, time.Since(began))
	}
}
