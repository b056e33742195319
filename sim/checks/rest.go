package checks

import "github.com/novastream/nova/core/keys"

// Rest looks at what must hold of everything that is stored, once a fleet is at rest: below each cut a quorum of stores has
// an intact copy of every slot.
func (a *Asker) Rest() {
	o := a.observer
	for _, k := range ordered(o.epochs) {
		e := o.epochs[k]
		if e.row == nil {
			continue
		}
		for _, s := range e.inOrder() {
			o.looked("slot-intact")
			if e.within(s.number) && s.number >= trimmed(e) && s.flights() < int(e.row.GetQuorum()) {
				o.Add("slot-intact", "slot %d of %s is part of the chain, and it is intact in %s; the quorum is %d", s.number, e, inStores(s.flights()), e.row.GetQuorum())
			}
		}
	}
}

func trimmed(e *epoch) keys.Slot { return keys.Slot(e.row.GetTrimmed()) }
