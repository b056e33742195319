package simpeer_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
	"github.com/novastream/nova/sim/simpeer"
)

// health makes one call as a task of the client; the error is there once it ended.
func (f *fixture) health() *error {
	result := errors.New("not answered")
	f.client.Go("call", func(ctx context.Context) {
		_, result = f.dial().Health(ctx)
	})
	return &result
}

func TestAStarThatRestartsIsFound(t *testing.T) {
	f := newServing(t, 1)
	f.home.Kill()
	err := f.health()
	f.run(time.Second)
	if !peer.Is(*err, peer.Unavailable) {
		t.Errorf("a dead star: %v", *err)
	}
	home := f.world.Process("a1")
	again := iotest.NewScriptedStar(home, nil)
	f.peers.Listen(home, addr, again)
	err = f.health()
	f.run(time.Second)
	if *err != nil || len(again.Asked) != 1 {
		t.Errorf("after the restart: %v", *err)
	}
	home.Stop()
	err = f.health()
	f.run(time.Second)
	if !peer.Is(*err, peer.Unavailable) {
		t.Errorf("a stopping star: %v", *err)
	}
}

func TestCallsBreak(t *testing.T) {
	for name, c := range map[string]struct {
		breaks func(f *fixture)
		within time.Duration
		ended  int
	}{
		"the star dies":           {func(f *fixture) { f.home.Kill() }, 10 * time.Millisecond, 0},
		"the connection is reset": {func(f *fixture) { f.peers.Reset("c1", "a1") }, 10 * time.Millisecond, 1},
		"a partition":             {func(f *fixture) { f.net.Partition([]string{"a1"}, []string{"c1"}) }, 20 * time.Second, 0},
		"answers are lost":        {func(f *fixture) { f.net.Cut("a1", "c1") }, 20 * time.Second, 0},
		"answers reset":           {func(f *fixture) { f.peers.SetFaults(simpeer.Faults{Reset: sim.Always}) }, 11 * time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newServing(t, 1)
			f.slow(10 * time.Second)
			err := f.health()
			f.run(time.Second)
			c.breaks(f)
			f.run(c.within)
			if !peer.Is(*err, peer.Indeterminate) || len(f.star.Asked) != 1 {
				t.Errorf("%v after %d calls", *err, len(f.star.Asked))
			}
			f.run(time.Second)
			if f.ended != c.ended {
				t.Errorf("%d contexts ended at the star, want %d", f.ended, c.ended)
			}
		})
	}
}

func TestTheCallersEndIsHeardByTheStar(t *testing.T) {
	for name, end := range map[string]func(f *fixture){
		"its process dies": func(f *fixture) { f.client.Kill() },
		"its context ends": func(f *fixture) { f.client.Stop() },
	} {
		t.Run(name, func(t *testing.T) {
			f := newServing(t, 1)
			f.slow(time.Hour)
			err := f.health()
			f.run(time.Second)
			end(f)
			f.run(10 * time.Millisecond)
			if f.ended != 1 {
				t.Error("the star's task goes on")
			}
			if f.client.Alive() && (!peer.Is(*err, peer.Indeterminate) || !errors.Is(*err, context.Canceled)) {
				t.Errorf("got %v", *err)
			}
		})
	}
}

func TestRepeatableCallsAreDuplicated(t *testing.T) {
	f := newServing(t, 1)
	f.net.SetFaults(simnet.Faults{Duplicates: sim.Always})
	err := f.health()
	f.run(time.Second)
	if *err != nil || len(f.star.Asked) != 2 {
		t.Errorf("%v after %d calls", *err, len(f.star.Asked))
	}
}

func TestFatesOfCalls(t *testing.T) {
	for _, c := range []struct {
		process, kind string
		fate          sim.Fate
		calls         int
		clientDies    bool
		starDies      bool
		code          peer.Code
		ok            bool
	}{
		{"c1", "peer.health", sim.Before, 0, true, false, 0, false},
		{"c1", "peer.health", sim.After, 1, true, false, 0, false},
		{"c1", "peer.health", sim.Lost, 1, false, false, peer.Indeterminate, false},
		{"c1", "peer.health", sim.Refused, 0, false, false, peer.Indeterminate, false},
		{"a1", "peer.answer", sim.Before, 1, false, true, peer.Indeterminate, false},
		{"a1", "peer.answer", sim.After, 1, false, true, 0, true},
		{"a1", "peer.answer", sim.Refused, 1, false, false, peer.Indeterminate, false},
	} {
		t.Run(c.kind+" "+c.fate.String(), func(t *testing.T) {
			f := newServing(t, 1)
			f.world.JudgeEffects(func(e sim.Effect) sim.Fate {
				if e.Process.Name() == c.process && e.Kind == c.kind {
					return c.fate
				}
				return sim.Normal
			})
			err := f.health()
			f.run(10 * time.Second)
			if len(f.star.Asked) != c.calls || f.client.Alive() == c.clientDies || f.home.Alive() == c.starDies {
				t.Errorf("%d calls, client alive %v, star alive %v", len(f.star.Asked), f.client.Alive(), f.home.Alive())
			}
			if f.client.Alive() && c.ok != (*err == nil) || !c.ok && f.client.Alive() && !peer.Is(*err, c.code) {
				t.Errorf("got %v", *err)
			}
		})
	}
}
