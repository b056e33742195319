package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/novastream/nova/core/fleet"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

func at(v meta.Version) meta.Expect { return meta.At(v) }

func TestStarsRegisterAndRefresh(t *testing.T) {
	w := newWorld(t, 1)
	for _, name := range []string{"c", "a", "b"} {
		w.boot(name)
	}
	w.run(time.Minute)
	var got fleet.Snapshot
	w.do(func(ctx context.Context) {
		var err error
		if got, err = fleet.ReadSnapshot(ctx, w.store.Spaces(w.sim.Driver()).Ephemeral); err != nil {
			t.Error(err)
		}
	})
	stars := got.Stars()
	if len(stars) != 3 || stars[0].ID != "a" || stars[1].ID != "b" || stars[2].ID != "c" {
		t.Fatalf("registered are %+v", stars)
	}
	b, ok := got.Find("b")
	want := fleet.Star{
		ID: "b", Boot: "b/1", Addr: "b:7780", Location: "zone-b", Version: "test",
		Leaders: 3, AppendBytesPerSecond: 1e6, HotReadBytesPerSecond: 2e6,
	}
	if !ok || b != want || b.Load() != 3e6 {
		t.Errorf("b is %+v, %v", b, ok)
	}
	if _, ok := got.Find("d"); ok {
		t.Error("a star that never registered was found")
	}
	if _, beat := w.rows("b"); beat < 11 || beat > 13 {
		t.Errorf("%d beats in a minute, want one every 5 s", beat)
	}
}

func TestRoutingFactsAreSeenAtOnce(t *testing.T) {
	w := newWorld(t, 1)
	s := w.boot("a")
	w.run(7 * time.Second)
	s.reg.Route(true, true)
	w.run(100 * time.Millisecond)
	w.do(func(ctx context.Context) {
		snapshot, err := s.reg.Snapshot(ctx)
		if a, _ := snapshot.Find("a"); err != nil || !a.Saturated || !a.Draining {
			t.Errorf("got %+v, %v", a, err)
		}
	})
}

// A fact that changes while the record is being written is published by the next write, not by the next refresh.
func TestRoutingFactsOfAnUnluckyMoment(t *testing.T) {
	w := newWorld(t, 1)
	s := w.boot("a")
	w.run(time.Second)
	w.store.OnWrite(func(wr simmeta.Write) {
		if wr.Key == keys.StarRow("a") {
			s.reg.Route(false, true)
		}
	})
	s.reg.Route(true, false)
	w.run(time.Second)
	w.do(func(ctx context.Context) {
		snapshot, err := s.reg.Snapshot(ctx)
		if a, _ := snapshot.Find("a"); err != nil || !a.Draining {
			t.Errorf("got %+v, %v", a, err)
		}
	})
}

// The rows of the ended session stand for a while. They are taken under the new session before they go, also where the
// first try of that has an unknown outcome and did not happen.
func TestRowsOfTheEndedSessionAreTakenOver(t *testing.T) {
	for _, unlucky := range []bool{false, true} {
		w := newWorld(t, 1)
		s := w.boot("a")
		w.run(12 * time.Second)
		w.store.SetFaults(simmeta.Faults{Outlive: sim.Always, OutliveUpto: 20 * time.Second})
		w.store.ExpireSession("a")
		w.store.SetFaults(simmeta.Faults{})
		w.sim.JudgeEffects(func(e sim.Effect) sim.Fate {
			if unlucky && e.Step == "register.liveness" {
				unlucky = false
				return sim.Refused
			}
			return sim.Normal
		})
		for range 40 {
			w.run(time.Second)
			w.wantRows("a", "a/1")
		}
		if s.lost != 1 || unlucky {
			t.Errorf("the hook was called %d times", s.lost)
		}
	}
}

func TestALostSessionIsMadeAnew(t *testing.T) {
	for name, lose := range map[string]func(w *world){
		"expired": func(w *world) { w.store.ExpireSession("a") },
		"expired, rows stay": func(w *world) {
			w.store.SetFaults(simmeta.Faults{Outlive: sim.Always, OutliveUpto: 20 * time.Second})
			w.store.ExpireSession("a")
		},
		"liveness gone":           func(w *world) { w.remove(keys.StarRow("a")) },
		"all rows gone":           func(w *world) { w.store.Wipe(simmeta.Ephemeral) },
		"paused past the session": func(w *world) { w.sim.Processes()[1].Pause(); w.run(time.Minute); w.sim.Processes()[1].Resume() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			s := w.boot("a")
			w.run(12 * time.Second)
			lose(w)
			w.run(fleet.RefreshInterval + time.Second)
			w.wantRows("a", "a/1")
			w.run(time.Minute)
			w.wantRows("a", "a/1")
			if s.lost != 1 || s.ended {
				t.Errorf("the hook was called %d times; run has ended: %v %v", s.lost, s.ended, s.end)
			}
		})
	}
}

func TestAStatsRowThatWentComesBack(t *testing.T) {
	w := newWorld(t, 1)
	s := w.boot("a")
	w.run(12 * time.Second)
	w.remove(keys.StatsRow("a"))
	w.run(fleet.RefreshInterval + time.Second)
	if w.wantRows("a", "a/1"); s.lost != 0 {
		t.Error("the session was not lost")
	}
}

func TestARestartTakesTheIdentityOver(t *testing.T) {
	w := newWorld(t, 1)
	w.boot("a").process.Kill()
	s := w.boot("a")
	w.run(2 * time.Second)
	s.process.Kill()
	s = w.boot("a")
	w.run(2 * time.Second)
	w.wantRows("a", "a/3")
	w.run(2 * sessionTimeout)
	if w.wantRows("a", "a/3"); s.lost != 0 {
		t.Error("the end of the earlier boot's session is none of this one's")
	}
}

// A volume moved by force gives two live processes one identity. The later one has it; the other stops, and does not
// take the later one's rows away.
func TestTheEarlierOfTwoLivesStops(t *testing.T) {
	w := newWorld(t, 1)
	first := w.boot("a")
	w.run(7 * time.Second)
	second := w.boot("a")
	w.run(2 * fleet.RefreshInterval)
	var superseded *fleet.SupersededError
	if !first.ended || !errors.As(first.end, &superseded) || superseded.By != "a/2" || second.ended {
		t.Fatalf("the first: %v %v; the second: %v %v", first.ended, first.end, second.ended, second.end)
	}
	w.do(func(ctx context.Context) {
		if err := first.reg.Withdraw(ctx); err != nil {
			t.Error(err)
		}
	})
	w.wantRows("a", "a/2")
}

func TestWithdrawal(t *testing.T) {
	for _, after := range []time.Duration{0, time.Millisecond, 4 * time.Millisecond, 8 * time.Second, 10*time.Second + time.Millisecond} {
		w := newWorld(t, 1)
		s := w.boot("a")
		w.run(after)
		w.do(func(ctx context.Context) {
			if err := s.reg.Withdraw(ctx); err != nil {
				t.Error(err)
			}
		})
		w.wantRows("a", "")
		w.run(time.Minute)
		w.wantRows("a", "")
		if !s.ended || s.end != nil || s.lost != 0 {
			t.Errorf("withdrawn after %v: run ended %v with %v, the hook called %d times", after, s.ended, s.end, s.lost)
		}
	}
}

// Whatever becomes of one write, of the first registration or of a refresh, the star is registered soon.
func TestEveryUnknownOutcomeIsResolved(t *testing.T) {
	for _, fate := range []sim.Fate{sim.Lost, sim.Refused} {
		for ordinal := uint64(1); ordinal <= 5; ordinal++ {
			t.Run(fmt.Sprint(fate, ordinal), func(t *testing.T) {
				w := newWorld(t, ordinal)
				w.sim.JudgeEffects(func(e sim.Effect) sim.Fate {
					if e.Process.Name() == "a" && e.Ordinal == ordinal {
						return fate
					}
					return sim.Normal
				})
				s := w.boot("a")
				w.run(2 * fleet.RefreshInterval)
				w.wantRows("a", "a/1")
				if s.ended || s.lost != 0 {
					t.Errorf("run ended: %v %v; the hook was called %d times", s.ended, s.end, s.lost)
				}
			})
		}
	}
}

// Under faults of every kind a star stays registered or comes back.
func TestRegistrationUnderFaults(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		w := newWorld(t, seed)
		w.store.SetFaults(simmeta.Faults{
			StaleReads: 300_000, StaleUpto: 8 * time.Second, Refuse: 100_000, LoseBefore: 100_000, LoseAfter: 100_000,
			Late: 50_000, LateUpto: 20 * time.Second,
		})
		stars := []*star{w.boot("a"), w.boot("b")}
		for range 10 {
			w.run(time.Duration(seed) * time.Second)
			w.store.ExpireSession("a")
			w.run(10 * time.Second)
			w.store.FailOver(simmeta.Ephemeral, 0, 3*time.Second)
		}
		w.store.SetFaults(simmeta.Faults{})
		w.run(time.Minute)
		for _, s := range stars {
			w.wantRows(s.process.Name(), s.process.Name()+"/1")
			if s.ended {
				t.Errorf("seed %d: %s gave up: %v", seed, s.process.Name(), s.end)
			}
		}
		if stars[0].lost == 0 {
			t.Errorf("seed %d: a never noticed that it lost its session", seed)
		}
	}
}
