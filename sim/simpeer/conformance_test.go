package simpeer_test

import (
	"context"
	"testing"
	"time"

	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/io/peer"
)

func TestConformance(t *testing.T) {
	for _, c := range iotest.Peer() {
		t.Run(c.Name, func(t *testing.T) {
			for seed := range uint64(5) {
				f := newFixture(t, seed)
				finished := false
				f.client.Go("suite", func(ctx context.Context) {
					c.Run(iotest.PeerHarness{
						Harness: iotest.Harness{T: t, Ctx: ctx, Run: f.client},
						Home:    f.home,
						Listen:  func(star peer.Star) { f.peers.Listen(f.home, addr, star) },
						Remote:  f.dial(), Kill: f.home.Kill, WindowBytes: 1 << 20,
					})
					finished = true
				})
				if err := f.world.RunUntil(time.Hour, func() bool { return finished }); err != nil {
					t.Fatal(err)
				}
				f.client.Kill()
				f.run(time.Minute)
				if f.home.Alive() && f.home.Tasks() != 0 {
					t.Errorf("seed %d: tasks are left at the star: %v", seed, f.world.Waiting())
				}
			}
		})
	}
}
