package simnet_test

import (
	"testing"
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
)

func newNetwork(t *testing.T) *simnet.Network {
	w := sim.New(sim.Config{Seed: 1})
	t.Cleanup(w.Close)
	return simnet.New(w, simnet.Config{
		Local: sim.Latency{Base: time.Millisecond}, Cross: sim.Latency{Base: 5 * time.Millisecond},
	})
}

func TestZones(t *testing.T) {
	n := newNetwork(t)
	n.SetZone("a1", "a")
	n.SetZone("b1", "b")
	for _, c := range []struct {
		from, to string
		want     time.Duration
	}{{"a1", "b1", 5 * time.Millisecond}, {"a1", "a1", time.Millisecond}, {"a1", "meta", time.Millisecond}} {
		if d, ok := n.Send(c.from, c.to); !ok || d != c.want {
			t.Errorf("%s to %s took %v, %v", c.from, c.to, d, ok)
		}
	}
}

func TestPartitions(t *testing.T) {
	n := newNetwork(t)
	reach := func(from, to string, want bool) {
		t.Helper()
		if _, ok := n.Send(from, to); ok != want || n.Severed(from, to) == want {
			t.Errorf("%s to %s: arrives %v", from, to, ok)
		}
	}
	n.Cut("a1", "a2")
	reach("a1", "a2", false)
	reach("a2", "a1", true)
	n.Mend("a1", "a2")
	reach("a1", "a2", true)
	n.Partition([]string{"a1", "a2"}, []string{"a3", "meta"})
	reach("a1", "a2", true)
	reach("a3", "a1", false)
	reach("a2", "meta", false)
	n.Isolate("store")
	reach("a3", "store", false)
	n.Rejoin("store")
	reach("a3", "store", true)
	n.Heal()
	reach("a2", "meta", true)
}

func TestLossDelayAndSlowLinks(t *testing.T) {
	n := newNetwork(t)
	lost := func() (lost int) {
		for range 1000 {
			if _, ok := n.Send("a1", "a2"); !ok {
				lost++
			}
		}
		return lost
	}
	if got := lost(); got != 0 {
		t.Errorf("%d of 1000 messages are lost without faults", got)
	}
	n.SetFaults(simnet.Faults{Loss: 10 * sim.Percent})
	if got := lost(); got < 50 || got > 150 {
		t.Errorf("%d of 1000 messages are lost at 10%%", got)
	}
	n.SetFaults(simnet.Faults{})
	n.Lose("a1", "a2", 50*sim.Percent)
	if got := lost(); got < 400 || got > 600 {
		t.Errorf("%d of 1000 messages are lost at 50%% on the link", got)
	}
	n.Heal()
	n.Slow("a1", "a2", sim.Latency{Base: time.Second})
	if d, _ := n.Send("a1", "a2"); d != time.Second+time.Millisecond {
		t.Errorf("a slow link takes %v", d)
	}
	n.Heal()
	n.SetFaults(simnet.Faults{Delay: sim.Always, DelayUpto: time.Minute})
	if d, _ := n.Send("a1", "a2"); d <= time.Millisecond {
		t.Errorf("a delayed message takes %v", d)
	}
}
