package chain

import (
	"fmt"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/io/blob"
)

// Store is one object store as a chain uses it: its own identity, read from its marker, and the zone it is used as.
type Store struct {
	ID   keys.StoreID
	Zone string
	Blob blob.Store
}

// Set is a class's store set with the numbers of its writer.
type Set struct {
	Class       records.Class
	Stores      []Store
	Quorum      int           // copies that make a slot durable
	Linger      time.Duration // how long an open flight waits for more
	FlightBytes int           // a flight of this size is sealed at once
	Window      int           // slots sealed beyond the durable prefix
}

// Standard is the set of the one regional store.
func Standard(store Store) Set {
	return Set{
		Class: records.Class_CLASS_STANDARD, Stores: []Store{store}, Quorum: 1,
		Linger: 50 * time.Millisecond, FlightBytes: 8 << 20, Window: 8,
	}
}

// Express is the set of the zonal stores: 1, 3 or 5 of them, no two the same.
func Express(stores []Store) (Set, error) {
	n := len(stores)
	if n != 1 && n != 3 && n != 5 {
		return Set{}, fmt.Errorf("express class: %d zones given; give 1, 3 or 5", n)
	}
	for i, a := range stores {
		for _, b := range stores[:i] {
			if a.ID == b.ID {
				return Set{}, fmt.Errorf("express class: zones %s and %s are one store (id %s); give each zone its own", b.Zone, a.Zone, a.ID)
			}
			if a.Zone == b.Zone {
				return Set{}, fmt.Errorf("express class: zone %s is given twice", a.Zone)
			}
		}
	}
	return Set{
		Class: records.Class_CLASS_EXPRESS, Stores: stores, Quorum: n/2 + 1,
		Linger: 5 * time.Millisecond, FlightBytes: 1 << 20, Window: 32,
	}, nil
}

// fatal is how many lost stores make a slot dead: so many that the quorum is out of reach.
func fatal(stores, quorum int) int { return stores - quorum + 1 }
