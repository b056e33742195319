package chain

import (
	"testing"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/blob"
)

// TestSealing walks through every reason to seal a flight and every reason to wait.
func TestSealing(t *testing.T) {
	set := Set{Linger: 50 * time.Millisecond, FlightBytes: 1000, Window: 4}
	cases := map[string]struct {
		state sealing
		seal  bool
		wait  time.Duration
	}{
		"nothing waits":                        {sealing{}, false, -1},
		"a lone batch pays no linger":          {sealing{waiting: 1, batches: true, bytes: 1}, true, 0},
		"beside another it lingers":            {sealing{waiting: 1, batches: true, bytes: 1, inFlight: 1, age: 20 * time.Millisecond}, false, 30 * time.Millisecond},
		"until the linger is over":             {sealing{waiting: 1, batches: true, bytes: 1, inFlight: 1, age: 50 * time.Millisecond}, true, 0},
		"a full one does not linger":           {sealing{waiting: 1, batches: true, bytes: 1000, inFlight: 1}, true, 0},
		"nor one that another waits behind":    {sealing{waiting: 2, batches: true, bytes: 900, inFlight: 1}, true, 0},
		"a barrier alone waits for batches":    {sealing{waiting: 1}, false, 50 * time.Millisecond},
		"but no longer than the linger":        {sealing{waiting: 1, age: 60 * time.Millisecond}, true, 0},
		"a clean stop waits for nothing":       {sealing{waiting: 1, inFlight: 1, closing: true}, true, 0},
		"the window holds back a full one":     {sealing{waiting: 2, batches: true, bytes: 1000, inFlight: 4}, false, -1},
		"the window holds back a clean stop":   {sealing{waiting: 1, inFlight: 4, closing: true}, false, -1},
		"the window has room for the last one": {sealing{waiting: 1, batches: true, bytes: 1000, inFlight: 3}, true, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if seal, wait := c.state.decide(set); seal != c.seal || wait != c.wait {
				t.Fatalf("decided %v, wait %v; want %v, %v", seal, wait, c.seal, c.wait)
			}
		})
	}
}

// TestTally shows when a slot is durable and when it is dead, for every legal set.
func TestTally(t *testing.T) {
	for _, n := range []int{1, 3, 5} {
		quorum := n/2 + 1
		for copies := 0; copies <= n; copies++ {
			for lost := 0; copies+lost <= n; lost++ {
				c := tally{copies, lost}
				durable, dead := c.durable(quorum), c.dead(n, quorum)
				if durable && dead {
					t.Fatalf("%d stores, %+v: durable and dead", n, c)
				}
				if copies+lost == n && !durable && !dead {
					t.Fatalf("%d stores, %+v: all known, nothing decided", n, c)
				}
			}
		}
	}
}

// TestExpressRefuses shows which zones an express class cannot be made of.
func TestExpressRefuses(t *testing.T) {
	zones := func(ids ...string) (stores []Store) {
		for i, id := range ids {
			stores = append(stores, Store{ID: keys.StoreID(id), Zone: string(rune('a' + i)), Blob: blob.Store(nil)})
		}
		return stores
	}
	for _, good := range [][]Store{zones("1"), zones("1", "2", "3"), zones("1", "2", "3", "4", "5")} {
		set, err := Express(good)
		if err != nil || set.Quorum != len(good)/2+1 || set.Class != records.Class_CLASS_EXPRESS {
			t.Fatalf("%d zones: %+v, %v", len(good), set, err)
		}
	}
	twice := zones("1", "2", "3")
	twice[2].Zone = "a"
	for name, bad := range map[string][]Store{"none": nil, "two": zones("1", "2"), "one store twice": zones("1", "2", "1"), "one zone twice": twice} {
		if _, err := Express(bad); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
