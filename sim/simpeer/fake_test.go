package simpeer_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
	"github.com/novastream/nova/sim/simpeer"
)

// fake is a star that counts. Its other calls are not made here.
type fake struct {
	peer.Star
	process *sim.Process
	slow    time.Duration // of a health call
	calls   int
	ended   int // health calls whose context ended
	opened  int
	closed  int
	tail    uint64
	hold    bool // sessions take nothing
	changed run.Signal
}

func (s *fake) Health(ctx context.Context) (peer.Health, error) {
	s.calls++
	if err := s.process.Sleep(ctx, s.slow); err != nil {
		s.ended++
		return peer.Health{}, err
	}
	return peer.Health{Star: s.process.Name()}, nil
}

func (s *fake) DescribeBucket(context.Context, string) (peer.Bucket, error) {
	return peer.Bucket{}, &peer.Error{Code: peer.NotFound, What: "bucket", Err: context.Canceled}
}

func (s *fake) OpenSession(context.Context, peer.OpenRequest) (peer.Session, error) {
	s.opened++
	return &fakeSession{star: s, changed: s.process.NewSignal()}, nil
}

type fakeSession struct {
	star    *fake
	acks    []peer.Ack
	over    *peer.Error
	changed run.Signal
}

func (s *fakeSession) Opened() peer.Opened {
	return peer.Opened{Star: s.star.process.Name(), Next: s.star.tail}
}

func (s *fakeSession) Send(ctx context.Context, b peer.Batch) error {
	for s.star.hold {
		if err := s.star.changed.Wait(ctx); err != nil {
			return err
		}
	}
	if string(b.Records[0].Body) == "end" {
		s.over = &peer.Error{Code: peer.NotOwner, Addr: "elsewhere"}
		s.changed.Broadcast()
		return s.over
	}
	ack := peer.Ack{First: s.star.tail}
	s.star.tail += uint64(len(b.Records))
	ack.Next = s.star.tail
	s.acks = append(s.acks, ack)
	s.changed.Broadcast()
	return nil
}

func (s *fakeSession) Recv(ctx context.Context) (peer.Ack, error) {
	for len(s.acks) == 0 {
		if s.over != nil {
			return peer.Ack{}, s.over
		}
		if err := s.changed.Wait(ctx); err != nil {
			return peer.Ack{}, err
		}
	}
	ack := s.acks[0]
	s.acks = s.acks[1:]
	return ack, nil
}

func (s *fakeSession) Close(context.Context) error {
	s.star.closed++
	return nil
}

type fixture struct {
	*testing.T
	world  *sim.World
	net    *simnet.Network
	peers  *simpeer.Peers
	star   *fake
	client *sim.Process
}

func newFixture(t *testing.T, seed uint64) *fixture {
	w := sim.New(sim.Config{Seed: seed})
	t.Cleanup(w.Close)
	net := simnet.New(w, simnet.Config{})
	f := &fixture{t, w, net, simpeer.New(net), &fake{process: w.Process("a1")}, w.Process("c1")}
	f.star.changed = f.star.process.NewSignal()
	f.peers.Listen(f.star.process, "a1:7000", f.star)
	return f
}

func (f *fixture) dial() peer.Star { return f.peers.Network(f.client).Dial("a1:7000") }

func (f *fixture) run(d time.Duration) {
	f.Helper()
	if err := f.world.RunFor(d); err != nil {
		f.Fatal(err)
	}
}

func batch(body string) peer.Batch { return peer.Batch{Records: []peer.Record{{Body: []byte(body)}}} }
