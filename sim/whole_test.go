package sim_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
	"github.com/novastream/nova/sim/simpeer"
)

// toy is a star that does with all bindings what a star does, and nothing of sense.
type toy struct {
	peer.Star
	process *sim.Process
	spaces  meta.Spaces
	store   blob.Store
	slot    int
}

func (s *toy) Tail(ctx context.Context, name peer.StreamName) (peer.TailReply, error) {
	s.slot++
	slot := s.slot
	s.process.Step(ctx, "toy.slot")
	if _, err := s.store.PutIfAbsent(ctx, fmt.Sprintf("chains/%s/%d/%09d", s.process.Name(), s.process.Boot(), slot), []byte(name.Key)); err != nil {
		return peer.TailReply{}, &peer.Error{Code: peer.Unavailable, Err: err}
	}
	s.process.Step(ctx, "toy.row")
	locality := "streams/" + name.Key
	m := s.spaces.Records.Within(locality)
	row, err := m.Get(ctx, locality+"/writer")
	expect := meta.At(row.Version)
	if err != nil {
		expect = meta.Absent()
	}
	if _, err := m.Put(ctx, locality+"/writer", fmt.Append(row.Value[:0], slot), expect); err != nil {
		return peer.TailReply{}, &peer.Error{Code: peer.Indeterminate, Err: err}
	}
	return peer.TailReply{Next: uint64(slot)}, nil
}

type toyFleet struct {
	world *sim.World
	net   *simnet.Network
	meta  *simmeta.Store
	store *simblob.Store
	peers *simpeer.Peers
	stars int
	done  int
}

func newToyFleet(seed uint64, tracer sim.Tracer, stars, clients int, think time.Duration) *toyFleet {
	w := sim.New(sim.Config{Seed: seed, Trace: tracer})
	net := simnet.New(w, simnet.Config{})
	f := &toyFleet{
		world: w, net: net, meta: simmeta.New(net, simmeta.Config{}), store: simblob.New(net, "standard", simblob.Config{}),
		peers: simpeer.New(net), stars: stars,
	}
	for i := range stars {
		f.start(i)
	}
	for i := range clients {
		f.client(i, think)
	}
	return f
}

func (f *toyFleet) start(i int) {
	p := f.world.Process(fmt.Sprint("a", i))
	s := &toy{process: p, spaces: f.meta.Spaces(p), store: f.store.Client(p)}
	f.peers.Listen(p, p.Name(), s)
	p.Go("lease", func(ctx context.Context) {
		for p.Sleep(ctx, 5*time.Second) == nil {
			_, _ = s.spaces.Ephemeral.PutEphemeral(ctx, "cluster/stars/"+p.Name(), nil, meta.Any())
		}
	})
}

func (f *toyFleet) client(i int, think time.Duration) {
	p := f.world.Process(fmt.Sprint("c", i))
	p.Go("client", func(ctx context.Context) {
		for p.Sleep(ctx, think/2+time.Duration(p.Rand().Int64N(int64(think)))) == nil {
			star := f.peers.Network(p).Dial(fmt.Sprint("a", p.Rand().IntN(f.stars)))
			limited, cancel := p.WithTimeout(ctx, 10*time.Second)
			_, err := star.Tail(limited, peer.StreamName{Bucket: "b", Key: fmt.Sprint("s", i)})
			cancel()
			if err == nil {
				f.done++
			}
		}
	})
}

// plague turns everything on that can go wrong.
func (f *toyFleet) plague() {
	f.net.SetFaults(simnet.Faults{Loss: sim.Percent, Delay: sim.Percent, DelayUpto: time.Second, Duplicates: sim.Percent})
	f.meta.SetFaults(simmeta.Faults{
		StaleReads: 10 * sim.Percent, StaleUpto: 5 * time.Second, Refuse: sim.Percent, LoseBefore: sim.Percent, LoseAfter: sim.Percent,
		Late: sim.Percent, LateUpto: time.Minute, Outlive: 10 * sim.Percent, OutliveUpto: time.Minute,
	})
	f.store.SetFaults(simblob.Faults{
		Refuse: sim.Percent, ErrorBefore: sim.Percent, ErrorAfter: sim.Percent, LoseBefore: sim.Percent, LoseAfter: sim.Percent,
		Late: sim.Percent, LateUpto: time.Minute, Repeat: sim.Percent, Conflict: sim.Percent, FlipBits: sim.Percent,
	})
	f.peers.SetFaults(simpeer.Faults{Reset: sim.Percent})
	chance := f.world.Rand("plague")
	d := f.world.Driver()
	d.Go("plague", func(ctx context.Context) {
		for d.Sleep(ctx, time.Duration(chance.Int64N(int64(10*time.Second)))) == nil {
			for _, p := range f.world.Processes() {
				if p.Name()[0] != 'a' || chance.IntN(f.stars) != 0 {
					continue
				}
				f.ail(p, chance.IntN(6))
				break
			}
		}
	})
}

func (f *toyFleet) ail(p *sim.Process, how int) {
	switch how {
	case 0:
		p.Kill()
		var i int
		_, _ = fmt.Sscanf(p.Name(), "a%d", &i)
		f.world.After(3*time.Second, func() { f.start(i) })
	case 1:
		p.Pause()
		f.world.After(20*time.Second, p.Resume)
	case 2:
		f.net.Isolate(p.Name())
		f.world.After(10*time.Second, func() { f.net.Rejoin(p.Name()) })
	case 3:
		p.SetSlow(time.Millisecond)
		f.world.After(10*time.Second, func() { p.SetSlow(0) })
	case 4:
		p.SetDrift(1000)
		p.JumpWall(-time.Minute)
	case 5:
		f.meta.ExpireSession(p.Name())
	}
}

func plagued(t *testing.T, seed uint64, tracer sim.Tracer) uint64 {
	f := newToyFleet(seed, tracer, 5, 20, time.Second)
	defer f.world.Close()
	f.plague()
	if err := f.world.RunFor(2 * time.Minute); err != nil {
		t.Fatal(err)
	}
	if f.done < 100 || len(f.world.Counters().Faults()) < 15 {
		t.Errorf("seed %d: %d calls done, faults %v", seed, f.done, f.world.Counters().Faults())
	}
	return f.world.Hash()
}

func TestWholeWorldIsAFunctionOfItsSeed(t *testing.T) {
	for seed := range uint64(10) {
		want := plagued(t, seed, nil)
		for _, procs := range []int{1, 2} {
			before := runtime.GOMAXPROCS(procs)
			got := plagued(t, seed, sim.NewRing(1000))
			runtime.GOMAXPROCS(before)
			if got != want {
				t.Errorf("seed %d with GOMAXPROCS %d: hash %x, want %x", seed, procs, got, want)
			}
		}
	}
}

// BenchmarkFleet reports how fast a toy fleet lives: what the world costs where the core costs nothing.
func BenchmarkFleet(b *testing.B) {
	for _, c := range []struct{ stars, clients int }{{5, 50}, {30, 300}} {
		b.Run(fmt.Sprintf("%d stars %d clients", c.stars, c.clients), func(b *testing.B) {
			f := newToyFleet(1, nil, c.stars, c.clients, time.Second)
			defer f.world.Close()
			b.ReportAllocs()
			for b.Loop() {
				if err := f.world.RunFor(time.Second); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(f.world.Now().Seconds()/b.Elapsed().Seconds(), "sim-s/s")
			b.ReportMetric(float64(f.world.Steps())/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
