package ports_test

import (
	"testing"

	"github.com/novastream/nova/realio/ports"
)

// TestListen: what was left can be listened on again, and two listeners have two ports.
func TestListen(t *testing.T) {
	one, err := ports.Listen()
	if err != nil {
		t.Fatal(err)
	}
	two, err := ports.Listen()
	if err != nil || one.Addr().String() == two.Addr().String() {
		t.Fatalf("%v, %v at %s", err, one.Addr(), two.Addr())
	}
	t.Cleanup(func() { _ = two.Close() })
	_ = one.Close()
	again, err := ports.Again(one.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
}
