package star_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/leadership"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/core/star"
	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/meta"
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

// TestBootOverAMetastoreThatForgot: a star whose store holds slots of an epoch that the metastore has never minted does not
// serve, for it would mint that epoch again.
func TestBootOverAMetastoreThatForgot(t *testing.T) {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	net := simnet.New(w, simnet.Config{})
	store := simblob.New(net, "store", simblob.Config{})
	e := env.Env{Run: w.Driver(), Meta: simmeta.New(net, simmeta.Config{}).Spaces(w.Driver()), Star: "star-1"}
	stores := []chain.Store{{ID: "s", Blob: store.Client(w.Driver())}}
	err := w.Do(time.Minute, func(ctx context.Context) {
		if err := chain.CheckRemembered(ctx, e, stores); err != nil {
			t.Errorf("an empty store: %v", err)
		}
		if outcome, err := stores[0].Blob.PutIfAbsent(ctx, keys.SlotObject("star-1", 1, 0), []byte("a flight")); outcome != blob.Created {
			t.Error(outcome, err)
		}
		var forgotten *chain.ForgottenError
		if err := chain.CheckRemembered(ctx, e, stores); !errors.As(err, &forgotten) || forgotten.Minted != 0 {
			t.Errorf("a slot of an epoch never minted: %v", err)
		}
		counter := records.Encode(&records.Chain{Counter: 1})
		if _, err := e.Meta.Records.Within(keys.ChainLocality("star-1")).Put(ctx, keys.ChainRow("star-1"), counter, meta.Absent()); err != nil {
			t.Error(err)
		}
		if err := chain.CheckRemembered(ctx, e, stores); err != nil {
			t.Errorf("a slot of the last epoch: %v", err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
