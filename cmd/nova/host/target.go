package host

import (
	"context"
	"errors"
	"io"

	"github.com/novastream/nova/io/blob"
)

// Target is a store as flags name it, to be looked at without a star.
type Target struct {
	Name string // by its flag
	URL  string // as it may be told
	Zone string // of a zonal store
	at   place
}

// Targets are the stores that --objects and --express name.
func Targets(objects string, express []string) (targets []Target, err error) {
	if objects != "" {
		at, err := placeOf(objects)
		if err != nil {
			return nil, err
		}
		targets = append(targets, Target{Name: "objects", URL: at.url, at: at})
	}
	zones, err := zonesOf(express)
	for _, z := range zones {
		targets = append(targets, Target{Name: "express " + z.name, URL: z.place.url, Zone: z.name, at: z.place})
	}
	return targets, err
}

// Open opens the store.
func (t Target) Open(ctx context.Context) (interface {
	blob.Store
	io.Closer
}, error) {
	opened, err := openStore(ctx, t.at)
	if unusable(err) && !errors.As(err, new(*StoreError)) {
		err = &StoreError{t.at.url, err}
	}
	return opened, err
}
