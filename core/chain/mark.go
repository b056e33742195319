package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/blob"
)

// ForeignStoreError says that a store belongs to another installation.
type ForeignStoreError struct{ Zone, Cluster, Ours string }

func (e *ForeignStoreError) Error() string {
	return fmt.Sprintf("the store of zone %q belongs to cluster %s, not to %s; give each cluster stores of its own", e.Zone, e.Cluster, e.Ours)
}

// Mark reads the marker of a store, or writes one into a store that has none, and gives the store its identity. It tries
// until the store answers or ctx ends. A damaged marker and one of another cluster are refused.
func Mark(ctx context.Context, e env.Env, cluster, zone string, b blob.Store) (Store, error) {
	var marker format.Marker
	var refusal error
	const reads = 5 // a damaged read is not yet a damaged marker
	damaged := 0
	err := backoff.Until(ctx, e.Run, backoff.Objects, func() bool {
		data, err := b.Get(ctx, keys.StoreMarker, blob.All())
		switch {
		case errors.Is(err, blob.ErrNotFound):
			// Whatever becomes of this create: the next read tells which marker stands.
			e.Run.Step(ctx, "mark.store")
			fresh := format.Marker{Cluster: cluster, Store: newStoreID(e)}
			if outcome, _ := b.PutIfAbsent(ctx, keys.StoreMarker, format.EncodeMarker(fresh)); outcome == blob.Created || e.Bugs.Has(planted.MarkerAssumed) {
				marker = fresh
				e.Run.Note("store marked", "zone", zone, "store", fresh.Store)
				return true
			}
			return false
		case err != nil:
			return false
		default:
			marker, refusal = format.DecodeMarker(keys.StoreMarker, data)
			damaged++
			return refusal == nil || damaged == reads
		}
	})
	switch {
	case err != nil:
		return Store{}, fmt.Errorf("read the marker of the store of zone %q: %w", zone, err)
	case refusal != nil:
		return Store{}, fmt.Errorf("the store of zone %q: %w", zone, refusal)
	case marker.Cluster != cluster:
		return Store{}, &ForeignStoreError{zone, marker.Cluster, cluster}
	}
	return Store{ID: marker.Store, Zone: zone, Blob: b}, nil
}

func newStoreID(e env.Env) keys.StoreID {
	return keys.StoreID(fmt.Sprintf("%016x%016x", e.Run.Rand().Uint64(), e.Run.Rand().Uint64()))
}
