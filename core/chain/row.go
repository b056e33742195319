package chain

import (
	"context"

	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/meta"
)

// Row is the row of one chain epoch as read.
type Row struct {
	Star    keys.StarID
	Epoch   keys.Epoch
	Version meta.Version
	Value   *records.ChainEpoch
}

// Settled says whether every slot of the epoch is covered by refs.
func (r Row) Settled() bool { return r.Value.GetState() == records.ChainState_CHAIN_STATE_SETTLED }

// Cut is the first slot that is not part of the epoch, once it is published.
func (r Row) Cut() (keys.Slot, bool) { return keys.Slot(r.Value.GetCut()), r.Value.Cut != nil }

// ReadEpoch reads the row of an epoch; false where there is none. Give a fresh view where absence decides.
func ReadEpoch(ctx context.Context, m meta.Metastore, star keys.StarID, epoch keys.Epoch) (Row, bool, error) {
	return Row{}, false, nil
}

// Epochs reads all epoch rows of a star, ascending.
func Epochs(ctx context.Context, m meta.Metastore, star keys.StarID) ([]Row, error) { return nil, nil }

// Mark reads the marker of a store, or writes one into a store that has none, and gives the store its identity.
func Mark(ctx context.Context, e env.Env, cluster, zone string, b blob.Store) (Store, error) {
	return Store{}, nil
}

// Fence ends an epoch of anybody and gives its row, which bears the cut.
func Fence(ctx context.Context, e env.Env, stores *Stores, star keys.StarID, epoch keys.Epoch) (Row, error) {
	return Row{}, nil
}

// Walk calls visit with the windows of the slots [from, to) of an epoch, in slot order, from footers alone.
func Walk(ctx context.Context, e env.Env, stores *Stores, row Row, from, to keys.Slot, visit func(keys.Slot, []format.Entry) error) error {
	return nil
}

// Sweep deletes the garbage of an ended epoch.
func Sweep(ctx context.Context, e env.Env, stores *Stores, star keys.StarID, epoch keys.Epoch) error {
	return nil
}
