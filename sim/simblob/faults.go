package simblob

import (
	"time"

	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simnet"
)

// Faults are the faults of a store that fire at a rate. Set them with SetFaults; the zero value has none.
type Faults struct {
	Refuse       sim.Rate      // throttled: any call is refused as unavailable and has no effect
	ErrorBefore  sim.Rate      // a write is answered 5xx and did not happen: unknown
	ErrorAfter   sim.Rate      // a write is answered 5xx and happened: unknown
	LoseBefore   sim.Rate      // a write times out and did not happen
	LoseAfter    sim.Rate      // a write times out and happened
	Late         sim.Rate      // a write is stuck on its way and lands late, its sender alive or not
	LateUpto     time.Duration // by at most this much; keep it below an intent's second look
	Conflict     sim.Rate      // one of several creates of a key that are under way at once is answered 409: unknown
	Repeat       sim.Rate      // a client library sends a write twice by itself and gives the second answer
	SlowList     sim.Rate      // a listing takes longer
	SlowListUpto time.Duration // by at most this much
	FlipBits     sim.Rate      // a read comes back with one bit flipped
	FlipMet      sim.Rate      // so does the read of an own copy that a create has met
}

// SetFaults sets the faults that fire at a rate.
func (s *Store) SetFaults(f Faults) { s.faults = f }

type errorKind uint8

const (
	noError errorKind = iota
	errorBefore
	errorAfter
)

// plan draws what goes wrong with one write.
func (s *Store) plan(req *simnet.Request) errorKind {
	f := &s.faults
	req.Refuse = s.refuses(req.Process)
	if s.hit("blob.lose-before", f.LoseBefore) {
		req.LoseBefore = true
	}
	if s.hit("blob.lose-after", f.LoseAfter) {
		req.LoseAfter = true
	}
	if late, by := s.world.HitBy("blob.late", s.endpoint, f.Late, s.rng, f.LateUpto); late {
		req.LateBy = by
	}
	if s.hit("blob.repeat", f.Repeat) {
		req.Twice = true
	}
	if s.hit("blob.error-before", f.ErrorBefore) {
		return errorBefore
	}
	if s.hit("blob.error-after", f.ErrorAfter) {
		return errorAfter
	}
	return noError
}

// hit says whether a fault of the store that fires at a rate fires now.
func (s *Store) hit(counter string, rate sim.Rate) bool {
	return s.world.Hit(counter, s.endpoint, rate, s.rng)
}

// refuses draws whether a call is throttled.
func (s *Store) refuses(p *sim.Process) bool {
	return s.world.Hit("blob.refuse", p.Name(), s.faults.Refuse, s.rng)
}

// flip damages what a read gives, if the fault fires. The object itself stays whole.
func (s *Store) flip(key string, data []byte) []byte {
	rate := s.faults.FlipBits
	if s.met[key] {
		delete(s.met, key)
		rate = max(rate, s.faults.FlipMet)
	}
	if len(data) == 0 || !s.hit("blob.flip-bits", rate) {
		return data
	}
	return flipped(data, s.rng.IntN(len(data)*8))
}

func flipped(data []byte, bit int) []byte {
	damaged := append([]byte{}, data...)
	damaged[bit/8] ^= 1 << (bit % 8)
	return damaged
}

// SetDark cuts the store off from everybody, as a zone that went dark, or brings it back.
func (s *Store) SetDark(dark bool) {
	if !dark {
		s.net.Rejoin(s.endpoint)
		return
	}
	s.world.CountFault("blob.dark", s.endpoint)
	s.net.Isolate(s.endpoint)
}

// Damage flips one bit of an object at rest. It says whether the object is there and has bytes.
func (s *Store) Damage(key string, bit int) bool {
	data, there := s.Peek(key)
	if !there || len(data) == 0 {
		return false
	}
	s.world.CountFault("blob.damage", s.endpoint)
	s.set(key, fresh(flipped(data, bit%(len(data)*8))), "damage")
	return true
}
