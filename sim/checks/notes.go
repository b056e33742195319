package checks

import (
	"slices"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/run"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
)

// noted is told every note of the core. Few are judged: those that claim something about the world.
func (o *Observer) noted(p *sim.Process, what string, kv []any) {
	switch what {
	case "star serves":
		o.stars[p] = value[keys.StarID](kv, "star")
		o.serves(p.Name(), o.stars[p])
		if i := slices.IndexFunc(o.fleet.Stars, func(s *fleets.Star) bool { return s.Process == p }); i >= 0 {
			o.serving[p.Name()] = o.fleet.Stars[i]
		}
	case "slot lost to a store":
		o.lostSlot(p, value[keys.Epoch](kv, "epoch"), value[keys.Slot](kv, "slot"), value[keys.StoreID](kv, "store"))
	case "lease left as an orphan":
		o.stream(value[keys.StreamID](kv, "id")).orphan = true
	case "chain epoch ends":
		o.ended[lifeEpoch{p, value[keys.Epoch](kv, "epoch")}] = true
	case "leadership taken":
		o.began(p, value[keys.StreamID](kv, "id"), value[keys.Epoch](kv, "chain"))
	case "star counts as dead":
		o.takenForDead(p, value[keys.StarID](kv, "star"), "gives up")
	case "gate fences":
		o.takenForDead(p, value[keys.StarID](kv, "star"), "fences the chain")
	case "lease taken over":
		o.takenForDead(p, keys.StarID(value[string](kv, "held-by")), "took the lease")
	case "chain epoch closed":
		if value[keys.Slot](kv, "cut") > value[keys.Slot](kv, "prefix") {
			o.saw(saved)
		}
	}
	if run.Alarm(what) {
		o.Add("loud", "%s says: %s, %s", o.who(p.Name()), what, o.said(p, kv))
	}
}

// value finds the value of a key in a note; its zero value where the note has none of the type.
func value[T any](kv []any, key string) T {
	for i := 0; i+1 < len(kv); i += 2 {
		if kv[i] == key {
			v, _ := kv[i+1].(T)
			return v
		}
	}
	var none T
	return none
}

// lostSlot: a writer gives a store up for a slot only where the store holds something else than the writer's own flight.
func (o *Observer) lostSlot(p *sim.Process, number keys.Epoch, at keys.Slot, id keys.StoreID) {
	star, known := o.stars[p]
	store, marked := o.stores[id]
	if !known || !marked {
		return
	}
	o.looked("slot-own")
	e := o.epoch(epochKey{star, number})
	if s := e.slots[at]; cellOf(s, store) == flight {
		o.Add("slot-own", "%s took its own flight in slot %d of %s for a rival's in %s", o.who(p.Name()), at, e, o.fleet.Stores()[store].Endpoint())
	}
}

// began: a leadership writes into the chain epoch that its row names, and ends with it; so it never begins in one that its own
// process has ended.
func (o *Observer) began(p *sim.Process, id keys.StreamID, number keys.Epoch) {
	star, known := o.stars[p]
	if !known {
		return
	}
	o.looked("begins-alive")
	if o.ended[lifeEpoch{p, number}] {
		o.Add("begins-alive", "%s began to lead stream %s in %s, which it had ended itself",
			o.who(p.Name()), o.stream(id), o.epoch(epochKey{star, number}))
	}
}

// marker learns the id of a store.
func (o *Observer) marker(store int, data []byte) {
	if m, err := format.DecodeMarker(keys.StoreMarker, data); err == nil {
		o.stores[m.Store] = store
	}
}
