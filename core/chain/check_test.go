package chain_test

import (
	"context"
	"slices"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
)

// fenceAll ends every epoch of a star, from a fresh process without faults.
func (r *rig) fenceAll(name keys.StarID) {
	r.Helper()
	p, e := r.env("undertaker")
	stores := chain.NewStores(r.set(p))
	r.do(p, func(ctx context.Context) {
		for _, epoch := range r.epochs(name) {
			row, err := chain.Fence(ctx, e, stores, name, epoch)
			if _, published := row.Cut(); err != nil || !published {
				r.violate("epoch %d cannot be ended in a healed world: %v", epoch, err)
			}
		}
	})
	p.Kill()
}

// check holds the batches against what the chains contain in the end. All epochs must have their cut.
func (r *rig) check(names ...keys.StarID) {
	r.Helper()
	in := map[string]bool{}
	for _, name := range names {
		for _, epoch := range r.epochs(name) {
			for slot := keys.Slot(0); slot < keys.Slot(r.row(name, epoch).GetCut()); slot++ {
				r.collect(keys.SlotObject(name, epoch, slot), in)
			}
		}
	}
	for _, b := range r.batches {
		switch {
		case b.times > 0 && b.outcome == chain.Durable && !in[b.id]:
			r.violate("batch %s was acknowledged and is not in the chain", b.id)
		case b.times > 0 && b.outcome == chain.NotAppended && in[b.id]:
			r.violate("batch %s failed as not appended and is in the chain", b.id)
		}
	}
	if len(r.broken) > 0 {
		r.Fatalf("seed %d: %s", r.world.Seed(), r.broken[0])
	}
}

// collect adds the batches of a slot below a cut, which must be whole in a quorum of stores and the same in all.
func (r *rig) collect(key string, in map[string]bool) {
	if n := r.copies(key); n < r.quorum {
		r.violate("slot %s lies below the cut and has %d copies", key, n)
	}
	found := map[string]bool{}
	for _, b := range r.blobs {
		object := peek(b, key)
		o, err := format.Decode(key, object)
		if err != nil || o.Kind != format.KindFlight {
			continue
		}
		found[string(object)] = true
		for _, entry := range o.Entries {
			raw, err := format.DecodeWindow(key, entry, object[entry.Offset:entry.Offset+entry.Length])
			if err != nil {
				r.violate("window in %s: %v", key, err)
			}
			for batch, err := range format.Batches(key, raw) {
				if err != nil {
					r.violate("batches in %s: %v", key, err)
				}
				id, _, _ := cutBytes(batch.Records[0].Body)
				in[id] = true
			}
		}
	}
	if len(found) > 1 {
		r.violate("slot %s holds different flights", key)
	}
}

func cutBytes(body []byte) (string, []byte, bool) {
	if i := slices.Index(body, ' '); i >= 0 {
		return string(body[:i]), body[i+1:], true
	}
	return "", nil, false
}

// outcomes counts the batches by outcome.
func (r *rig) outcomes() map[chain.Outcome]int {
	n := map[chain.Outcome]int{}
	for _, b := range r.batches {
		if b.times > 0 {
			n[b.outcome]++
		}
	}
	return n
}

// puts counts the puts that the stores were asked for.
func (r *rig) puts() (n uint64) {
	for _, b := range r.blobs {
		n += b.Stats().Puts
	}
	return n
}
