package cli

import "strings"

// steps are the named steps of the core: what a crash point lies between. A test compares them with the code.
func steps() []string {
	return strings.Fields(`
		absorb.checkpoint absorb.redundant absorb.row append.put close.cut delete.descriptor delete.writer fence.ahead
		fence.complete fence.cut fence.missing fence.poison fence.row finish.lease finish.mark flush.redundant flush.release
		flush.row mark.store mint.counter mint.row open.lease open.token open.writer reattach.lease register.liveness
		register.stats settle.checkpoint settle.done settle.redundant settle.row sweep.delete withdraw.liveness withdraw.stats
	`)
}
