package checks

import (
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simmeta"
)

// fieldsKept: who writes a record keeps the fields that it does not know.
func (o *Observer) fieldsKept(w simmeta.Write) {
	if w.Old == nil || w.New == nil || !fleets.Foreign(w.Old.Value) {
		return
	}
	o.looked("fields-kept")
	if !fleets.Foreign(w.New.Value) {
		o.Add("fields-kept", "%s wrote the row %s without a field of the next version that was there", o.who(w.By), w.Key)
	}
}
