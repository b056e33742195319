package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// Row is the row of one chain epoch as read.
type Row struct {
	Star    keys.StarID
	Epoch   keys.Epoch
	Version meta.Version
	Value   *records.ChainEpoch
}

// Active says whether the star that minted the epoch may write into it.
func (r Row) Active() bool { return r.Value.GetState() == records.ChainState_CHAIN_STATE_ACTIVE }

// Settled says whether every slot of the epoch is covered by refs.
func (r Row) Settled() bool { return r.Value.GetState() == records.ChainState_CHAIN_STATE_SETTLED }

// Cut is the first slot that is not part of the epoch, once it is published. A cut that was read once is true for ever.
func (r Row) Cut() (keys.Slot, bool) {
	return keys.Slot(r.Value.GetCut()), r.Value != nil && r.Value.Cut != nil
}

// Checkpoint is the slot below which refs cover the epoch.
func (r Row) Checkpoint() keys.Slot { return keys.Slot(r.Value.GetCheckpoint()) }

func (r Row) key() string { return keys.EpochRow(r.Star, r.Epoch) }

// Mine says whether this very process minted the epoch: by boot id, for an identity can have two live processes.
func (r Row) Mine(e env.Env) bool { return mine(e, r.Star, r.Value.GetBoot()) }

func mine(e env.Env, star keys.StarID, boot string) bool {
	if e.Bugs.Has(planted.IdentityIsProcess) {
		return star == e.Star
	}
	return star == e.Star && boot == string(e.Boot)
}

// ReadEpoch reads the row of an epoch; false where there is none. Give a fresh view where absence decides.
func ReadEpoch(ctx context.Context, m meta.Metastore, star keys.StarID, epoch keys.Epoch) (Row, bool, error) {
	key := keys.EpochRow(star, epoch)
	rec, err := m.Within(keys.ChainLocality(star)).Get(ctx, key)
	if errors.Is(err, meta.ErrNotFound) {
		return Row{}, false, nil
	}
	if err != nil {
		return Row{}, false, fmt.Errorf("read chain epoch %s: %w", key, err)
	}
	row, err := decodeRow(star, rec)
	return row, err == nil, err
}

// Epochs reads all epoch rows of a star, ascending.
func Epochs(ctx context.Context, m meta.Metastore, star keys.StarID) ([]Row, error) {
	const page = 256
	var rows []Row
	for after := ""; ; {
		recs, err := m.Within(keys.ChainLocality(star)).Scan(ctx, keys.ChainRow(star), after, page)
		if err != nil {
			return nil, fmt.Errorf("scan chain epochs of star %s: %w", star, err)
		}
		for _, rec := range recs {
			row, err := decodeRow(star, rec)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
		if len(recs) < page {
			return rows, nil
		}
		after = recs[len(recs)-1].Key[len(keys.ChainRow(star))+1:]
	}
}

func decodeRow(star keys.StarID, rec meta.Record) (Row, error) {
	epoch, err := keys.ParseEpochRow(rec.Key)
	if err != nil {
		return Row{}, err
	}
	row := Row{Star: star, Epoch: epoch, Version: rec.Version, Value: &records.ChainEpoch{}}
	return row, records.Decode(rec.Key, rec.Value, row.Value)
}

// Replace writes the row over the version that was read, and gives it with its new version.
func Replace(ctx context.Context, m meta.Metastore, row Row) (Row, error) {
	return put(ctx, m, row, meta.At(row.Version))
}

func put(ctx context.Context, m meta.Metastore, row Row, expect meta.Expect) (Row, error) {
	version, err := m.Within(keys.ChainLocality(row.Star)).Put(ctx, row.key(), records.Encode(row.Value), expect)
	if err != nil {
		return row, fmt.Errorf("write chain epoch %s: %w", row.key(), err)
	}
	row.Version = version
	return row, nil
}
