package chain

import (
	"bytes"

	"github.com/novastream/nova/core/format"
)

// cell is what a fencer found in one store at one slot position.
type cell struct {
	state  cellState
	object []byte // of a flight
}

type cellState uint8

const (
	cellUnknown cellState = iota // not reached, or not valid: it proves nothing
	cellEmpty                    // the store answered that nothing is there
	cellFlight                   // a fully validated flight
	cellPoison                   // fully validated poison
)

// readCell judges the bytes found at a slot position.
func readCell(key string, object []byte) (cell, error) {
	o, err := format.Decode(key, object)
	switch {
	case err != nil:
		return cell{}, err
	case o.Kind == format.KindPoison:
		return cell{state: cellPoison}, nil
	default:
		return cell{state: cellFlight, object: object}, nil
	}
}

// votes counts the cells of one slot over the stores that answered.
type votes struct{ flights, poison, empty int }

// count counts cells. Of different flights, which no correct writer makes, those that differ from the first count for
// nothing.
func count(cells []cell) (v votes, flight []byte, rivals bool) {
	for _, c := range cells {
		switch {
		case c.state == cellEmpty:
			v.empty++
		case c.state == cellPoison:
			v.poison++
		case c.state == cellFlight && flight == nil:
			v.flights, flight = 1, c.object
		case c.state == cellFlight && bytes.Equal(flight, c.object):
			v.flights++
		case c.state == cellFlight:
			rivals = true
		}
	}
	return v, flight, rivals
}

// verdict is what a fencer does about a slot.
type verdict uint8

const (
	unavailable verdict = iota // the stores that answered leave it open: never a guess
	belongs                    // the slot is part of the chain
	isCut                      // no flight can win here: this is the cut
	complete                   // copy the flight into the stores that have nothing, and look again
	poison                     // put poison into the stores that have nothing, and look again
)

func (v verdict) String() string {
	return [...]string{"unavailable", "belongs", "is the cut", "complete", "poison"}[v]
}

// judge decides a slot from what the stores that answered hold. belongs and isCut never hold both, whatever is seen when,
// for a position is written once; and when every store answers exactly one of them comes to hold.
func judge(v votes, stores, quorum int) verdict {
	needed := fatal(stores, quorum)
	switch {
	case v.flights >= quorum:
		return belongs
	case v.poison >= needed:
		return isCut
	case v.flights > 0 && v.empty > 0:
		return complete
	case v.flights == 0 && v.empty > 0 && v.empty+v.poison >= needed:
		return poison
	default:
		return unavailable
	}
}
