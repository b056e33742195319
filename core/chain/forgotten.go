package chain

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/meta"
)

// ForgottenError says that a store holds a slot of a chain epoch which the star's mint counter has never reached: the
// metastore has lost writes, or is an older copy than the stores. To go on would hand out that epoch again and leave
// behind what was acknowledged in it.
type ForgottenError struct {
	Star   keys.StarID
	Store  keys.StoreID
	Key    string
	Minted keys.Epoch
}

func (e *ForgottenError) Error() string {
	return fmt.Sprintf("the metastore has lost what it knew of star %s: store %s holds %s, and the last chain epoch that the "+
		"metastore knows is %d; bring back the metastore that belongs to these stores, and delete nothing", e.Star, e.Store, e.Key, e.Minted)
}

// CheckRemembered looks in each store for slots beyond the star's mint counter. A store that does not answer is passed
// over: a dark zone must not keep a fleet from booting.
func CheckRemembered(ctx context.Context, e env.Env, stores []Store) error {
	key := keys.ChainRow(e.Star)
	counter := &records.Chain{}
	rec, err := e.Meta.Records.Within(keys.ChainLocality(e.Star)).Fresh().Get(ctx, key)
	if err == nil {
		err = records.Decode(key, rec.Value, counter)
	}
	if err != nil && !errors.Is(err, meta.ErrNotFound) {
		return fmt.Errorf("read the mint counter of star %s: %w", e.Star, err)
	}
	minted := keys.Epoch(counter.GetCounter())
	last := keys.SlotObject(e.Star, minted, math.MaxUint64)
	for _, store := range stores {
		found, err := store.Blob.List(ctx, keys.ChainObjects(e.Star), last, 1)
		if err == nil && len(found) > 0 {
			return &ForgottenError{e.Star, store.ID, found[0].Key, minted}
		}
	}
	return nil
}
