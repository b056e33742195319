package checks

import (
	"strings"
	"time"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/simmeta"
)

// proofFor is how long somebody who was held since may still act on a proof of death, beyond the longest pause of the faults:
// four session time-outs.
const proofFor = time.Minute

// pulse is what the rows of a star told of its life. Two things prove a star dead: it has no liveness record, or its stats
// stand still for twice the session time-out.
type pulse struct {
	standing bool          // there is a liveness record
	gone     time.Duration // when it went
	beat     time.Duration // when the stats were written last
	proof    time.Duration // when one of the two proved it dead last; meaningless before it registered
}

// pulseRow follows the registration of stars.
func (o *Observer) pulseRow(w simmeta.Write) {
	if id, ok := strings.CutPrefix(w.Key, keys.StarsPrefix+"/"); ok {
		p := o.pulse(keys.StarID(id))
		p.proof = o.deadUntil(p)
		if p.standing = w.New != nil; !p.standing {
			p.gone = o.world.Now()
		}
	}
	if id, ok := strings.CutPrefix(w.Key, keys.StatsPrefix+"/"); ok && w.New != nil {
		p := o.pulse(keys.StarID(id))
		p.proof = o.deadUntil(p)
		p.beat = o.world.Now()
	}
}

// deadUntil is when a star was provably dead last.
func (o *Observer) deadUntil(p *pulse) time.Duration {
	if now := o.world.Now(); !p.standing || now-p.beat >= 2*o.fleet.SessionTimeOut() {
		return now
	}
	return p.proof
}

func (o *Observer) pulse(id keys.StarID) *pulse {
	if o.pulses[id] == nil {
		o.pulses[id] = &pulse{}
	}
	return o.pulses[id]
}

// takenForDead: alive defers. Nobody fences a star whose session lives, or takes its lease.
func (o *Observer) takenForDead(p *sim.Process, id keys.StarID, what string) {
	if own, known := o.stars[p]; !known || id == own {
		return // it fences an earlier life of its own
	}
	o.looked("alive-defers")
	ago := o.world.Now() - o.deadUntil(o.pulse(id))
	if ago > 4*o.fleet.SessionTimeOut()+proofFor {
		o.Add("alive-defers", "%s %s of %s, which was registered and wrote its stats without a gap for %v",
			o.who(p.Name()), what, o.star(id), ago)
	}
}

// standing: a star that says it is registered was so within a session time-out. It is looked at when it asks again.
func (o *Observer) standing(by string) {
	place := o.serving[by]
	if place == nil || place.Serving == nil || !place.Serving.Registered() {
		return
	}
	o.looked("standing")
	p, now := o.pulse(place.Serving.ID()), o.world.Now()
	const clocks = 10 // a tenth is allowed for clocks that run slow
	if ago := now - max(p.beat, p.gone); !p.standing && ago > o.fleet.SessionTimeOut()*(clocks+1)/clocks {
		o.Add("standing", "%s says that it is registered, and its record has been gone for %v", o.who(by), ago)
	}
}
