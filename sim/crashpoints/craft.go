package crashpoints

import (
	"context"

	"github.com/novastream/nova/core/absorb"
	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
	"github.com/novastream/nova/sim/stage"
	"github.com/novastream/nova/sim/workload"
)

// What a story cannot tell by asking a fleet, it crafts.

// crashAt kills the process of a star at the next crossing of a named step.
func (t *telling) crashAt(place int, step string) func() error {
	return func() error {
		hit := false
		t.World.OnStep(func(p *sim.Process, name string) {
			if !hit && name == step && p == t.Stars[place].Process {
				hit = true
				p.Kill()
			}
		})
		return nil
	}
}

// forgetful has the first star take the writer row of a stream and fail before it leads: records are out of reach from the
// write on, for a moment.
func (t *telling) forgetful(stream *workload.Stream) error {
	taken := false
	down := func(down bool) {
		for i := range t.Meta.Shards(simmeta.Records) {
			t.Meta.SetDown(simmeta.Records, i, down)
		}
	}
	t.Meta.OnWrite(func(w simmeta.Write) {
		if w.Key == keys.WriterRow(t.ID(stream)) && !taken {
			taken = true
			down(true)
		}
	})
	err := t.Do("unlucky", func(ctx context.Context, c *stage.Scribe) error {
		_, err := c.Star(t.Stars[0]).OpenSession(ctx, peer.OpenRequest{Stream: stream.Name})
		if err == nil {
			return &stage.VerdictError{Sentences: []string{"the star leads, and was to fail"}}
		}
		return nil
	})
	down(false)
	return err
}

// headless has the star mint an epoch that never gets its row, for it dies in between; then a process fences and settles
// every number that the star ever minted. Where something goes wrong with it, another does.
func headless(t *telling) error {
	stream := t.Stream("after", peer.ModeAny, peer.ClassStandard)
	stream.OnOpen = true
	bury := func() error {
		return t.Do("undertaker", func(ctx context.Context, c *stage.Scribe) error {
			ctx, cancel := c.WithTimeout(ctx, stage.Patience)
			defer cancel()
			e := env.Env{Run: c.Process, Meta: t.Meta.Spaces(c.Process), Star: "undertaker", Boot: "undertaker"}
			stores, err := t.stores(ctx, c, e)
			if err != nil {
				return err
			}
			for _, rec := range t.Meta.All(simmeta.Records, "chains/") {
				counter := &records.Chain{}
				if _, err := keys.ParseEpochRow(rec.Key); err == nil || records.Decode(rec.Key, rec.Value, counter) != nil {
					continue
				}
				star := keys.StarID(rec.Key[len("chains/"):])
				for epoch := keys.Epoch(1); epoch <= keys.Epoch(counter.GetCounter()); epoch++ {
					if err := absorb.Settle(ctx, e, stores, star, epoch); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	undertaker := func() error {
		for {
			struck := t.struck
			if err := bury(); err != nil || t.struck == struck {
				return err
			}
		}
	}
	return run(
		t.boot, t.crash(0), t.crashStarting(0, "mint.row"),
		func() error { t.watch("undertaker"); return nil }, undertaker, t.again(0),
		undertaker, t.verdict(&stream),
	)
}

// crashStarting starts a star that dies at a named step of its boot.
func (t *telling) crashStarting(place int, step string) func() error {
	return func() error {
		hit := false
		t.World.OnStep(func(p *sim.Process, name string) {
			if !hit && name == step && p.Name() == t.Stars[place].Name {
				hit = true
				p.Kill()
			}
		})
		return t.start(place)()
	}
}

// stores are all stores as a process reaches them, with the ids that their markers say.
func (t *telling) stores(ctx context.Context, c *stage.Scribe, e env.Env) (*chain.Stores, error) {
	cluster := &records.Cluster{}
	rec, _ := t.Meta.Peek(simmeta.Records, keys.ClusterRow)
	if err := records.Decode(rec.Key, rec.Value, cluster); err != nil {
		return nil, err
	}
	regional, err := chain.Mark(ctx, e, cluster.GetId(), "", t.Objects.Client(c.Process))
	if err != nil {
		return nil, err
	}
	sets := []chain.Set{chain.Standard(regional)}
	var zones []chain.Store
	for _, zone := range t.Zones {
		store, err := chain.Mark(ctx, e, cluster.GetId(), zone.Endpoint(), zone.Client(c.Process))
		if err != nil {
			return nil, err
		}
		zones = append(zones, store)
	}
	express, err := chain.Express(zones)
	return chain.NewStores(append(sets, express)...), err
}
