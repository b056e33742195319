package chain

import (
	"errors"
	"fmt"

	"github.com/novastream/nova/core/keys"
)

// ErrUnavailable says that a question about a chain cannot be answered now, because stores that it needs are missing or do
// not answer. Nothing was guessed; ask again later.
var ErrUnavailable = errors.New("chain: unavailable")

// MissingStoreError says that this star does not hold a store that an epoch was written to.
type MissingStoreError struct{ Store keys.StoreID }

func (e *MissingStoreError) Error() string {
	return fmt.Sprintf("store %s is not among this star's stores; start it with the same --objects and --express as the star that wrote the epoch", e.Store)
}

// Is makes the error an ErrUnavailable.
func (e *MissingStoreError) Is(target error) bool { return target == ErrUnavailable }

// Stores are the stores that this star holds, by their ids.
type Stores struct{ byID map[keys.StoreID]Store }

// NewStores collects the stores of the sets.
func NewStores(sets ...Set) *Stores {
	byID := map[keys.StoreID]Store{}
	for _, set := range sets {
		for _, store := range set.Stores {
			byID[store.ID] = store
		}
	}
	return &Stores{byID}
}

// Resolve gives the stores that an epoch row names, in its order. ErrUnavailable where one is missing here.
func (s *Stores) Resolve(ids []string) ([]Store, error) {
	stores := make([]Store, len(ids))
	for i, id := range ids {
		store, ok := s.byID[keys.StoreID(id)]
		if !ok {
			return nil, &MissingStoreError{keys.StoreID(id)}
		}
		stores[i] = store
	}
	return stores, nil
}
