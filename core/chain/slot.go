package chain

import "time"

// tally counts what the writer knows of one of its slots.
type tally struct{ copies, lost int }

// durable says whether enough stores hold a copy. What is durable once stays so.
func (t tally) durable(quorum int) bool { return t.copies >= quorum }

// dead says whether so many stores are lost to the slot that the quorum is out of reach.
func (t tally) dead(stores, quorum int) bool { return t.lost >= fatal(stores, quorum) }

// sealing is what decides when the next flight is sealed.
type sealing struct {
	waiting  int           // flights that wait for a slot; the last of them is open
	batches  bool          // the first of them holds batches, not just barriers
	bytes    int           // in it
	age      time.Duration // of it
	inFlight int           // slots sealed and not in the durable prefix
	closing  bool          // nothing more will come
}

// decide says whether to seal now, and else for how long to wait unless something changes; below zero: for ever.
// Slot i is sealed only when slot i-W is in the durable prefix. A lone producer pays no linger.
func (s sealing) decide(set Set) (seal bool, wait time.Duration) {
	switch {
	case s.waiting == 0, s.inFlight >= set.Window:
		return false, -1
	case s.closing, s.waiting > 1, s.bytes >= set.FlightBytes, s.age >= set.Linger:
		return true, 0
	case s.batches && s.inFlight == 0:
		return true, 0
	default:
		return false, set.Linger - s.age
	}
}
