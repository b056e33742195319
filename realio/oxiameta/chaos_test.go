package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiatest"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// chaos does something bad to a cluster now and then.
type chaos struct {
	*oxiatest.Cluster
	mu     sync.Mutex
	rng    *rand.Rand
	splits int
}

// strike moves a leader, cancels streams, takes a leader away for a moment, or splits.
func (c *chaos) strike() {
	c.mu.Lock()
	defer c.mu.Unlock()
	shards := c.Shards("records")
	s := shards[c.rng.IntN(len(shards))]
	switch kind := c.rng.IntN(10); {
	case kind < 4:
		c.MoveLeader(s.ID, c.rng.IntN(3))
	case kind < 7:
		c.CancelStreams(s.ID)
	case kind < 9:
		c.Unlead(s.ID)
		c.MoveLeader(s.ID, c.rng.IntN(3))
	case c.splits < 5:
		c.splits++
		c.Split(s.ID)
	}
}

// lose fails one request in so many.
func (c *chaos) lose(one int) func(oxiatest.Write) error {
	return func(oxiatest.Write) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.rng.IntN(one) == 0 {
			return oxiatest.Canceled()
		}
		return nil
	}
}

// Counters, each with one writer, lose no increment that was acknowledged and gain none that was not made, whatever
// happens to the servers. Every outcome that is unknown is resolved by a fresh read.
func TestChaos(t *testing.T) {
	const workers, increments = 6, 50
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	w := newWorld(t, oxiatest.Config{Nodes: 3, Namespaces: spacesOf(2), FrameItems: 3})
	bad := &chaos{Cluster: w.cluster, rng: rand.New(rand.NewPCG(seed, 0))}
	w.cluster.OnWrite(bad.lose(15))
	w.cluster.OnApplied(bad.lose(15))
	var working sync.WaitGroup
	for i := range workers {
		working.Go(func() {
			loc := fmt.Sprintf("streams/s%d", i)
			c := &counter{m: w.client.Spaces().Records.Within(loc), key: loc + "/n"}
			for n := range increments {
				if n%4 == i%4 {
					bad.strike()
				}
				if err := c.increment(w.ctx); err != nil {
					t.Errorf("counter %d: %v", i, err)
					return
				}
			}
			rec, err := c.m.Fresh().FloorGet(w.ctx, loc, "z")
			if err != nil || string(rec.Value) != strconv.Itoa(increments) {
				t.Errorf("counter %d stands at %q after %d increments, %v", i, rec.Value, increments, err)
			}
		})
	}
	working.Wait()
}

// counter is a record that only its one writer changes.
type counter struct {
	m       meta.Metastore
	key     string
	value   int
	version meta.Version
	unknown int // outcomes, so far
}

// increment adds one, once.
func (c *counter) increment(ctx context.Context) error {
	expect := meta.At(c.version)
	if c.value == 0 {
		expect = meta.Absent()
	}
	for want := c.value + 1; c.value < want; {
		v, err := c.m.Put(ctx, c.key, []byte(strconv.Itoa(want)), expect)
		if err == nil {
			c.value, c.version = want, v
			return nil
		}
		if !errors.Is(err, meta.ErrUnknown) {
			return err // nobody else writes, and servers are never away for long
		}
		c.unknown++
		rec, err := c.m.Fresh().Get(ctx, c.key)
		if errors.Is(err, meta.ErrNotFound) && c.value == 0 {
			continue
		}
		if err != nil {
			return err
		}
		switch string(rec.Value) {
		case strconv.Itoa(want):
			c.value, c.version = want, rec.Version
		case strconv.Itoa(c.value):
			expect = meta.At(rec.Version)
		default:
			return fmt.Errorf("it stands at %s, not at %d or %d", rec.Value, c.value, want)
		}
	}
	return nil
}

// The conformance suite while leaders move, streams are cut and answers are lost, as far as its cases can be judged then:
// only puts that succeeded lose their answers, and races are left out, for their losers could not be told.
func TestConformanceUnderFaults(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	races := func(name string) bool { return len(name) > 4 && name[:5] == "race/" }
	runSuite(t, func(t *testing.T) (Config, func(context.Context, *Client)) {
		cluster := startCluster(t, oxiatest.Config{Nodes: 3, Namespaces: spacesOf(3), FrameItems: 1, Legacy: seed%2 == 0})
		bad := &chaos{Cluster: cluster, rng: rand.New(rand.NewPCG(seed, 1))}
		cluster.OnApplied(func(w oxiatest.Write) error {
			for _, put := range w.Response.GetPuts() {
				if put.GetStatus() != oxiav1.Status_STATUS_OK {
					return nil
				}
			}
			if len(w.Response.GetDeletes()) > 0 {
				return nil
			}
			return bad.lose(10)(w)
		})
		cluster.OnRead(func(r oxiatest.Read) error {
			bad.mu.Lock()
			defer bad.mu.Unlock()
			if bad.rng.IntN(20) == 0 {
				return oxiatest.Canceled()
			}
			return nil
		})
		return configFor(cluster), expireAt(cluster)
	}, races)
}
