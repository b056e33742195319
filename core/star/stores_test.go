package star_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/star"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simdisk"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/simnet"
	"github.com/novastream/nova/sim/simpeer"
)

// TestBootWithAnotherStore: a star that is started over another store than the one it wrote to is refused, by the id of the
// store that is missing, and boots again over its own.
func TestBootWithAnotherStore(t *testing.T) {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	net := simnet.New(w, simnet.Config{})
	metastore, peers, disk := simmeta.New(net, simmeta.Config{}), simpeer.New(net), simdisk.New(w)
	own, other := simblob.New(net, "own", simblob.Config{}), simblob.New(net, "other", simblob.Config{})
	boot := func(store *simblob.Store) (err error) {
		p := w.Process("star-1")
		defer p.Kill()
		booted := false
		p.Go("boot", func(ctx context.Context) {
			defer func() { booted = true }()
			_, err = star.Boot(ctx, star.Config{
				Run: p, Meta: metastore.Spaces(p), Disk: disk.Client(p), Peers: peers.Network(p), Objects: store.Client(p),
				Addr: "star-1", SessionTimeout: 15 * time.Second, AbsorbFanout: 1, Limits: leadership.DefaultLimits(),
			})
			_ = p.Sleep(ctx, time.Second) // the first chain epoch is minted meanwhile
		})
		if stuck := w.RunUntil(time.Minute, func() bool { return booted }); stuck != nil {
			t.Fatal(stuck)
		}
		return err
	}
	if err := boot(own); err != nil {
		t.Fatal(err)
	}
	var missing *chain.MissingStoreError
	if err := boot(other); !errors.As(err, &missing) {
		t.Fatalf("over another store it says: %v", err)
	}
	if err := boot(own); err != nil {
		t.Fatal(err)
	}
}
