package cli

import (
	"math"
	"runtime/debug"
)

// Headroom is memory that is never touched, so that it takes none, but that the garbage collector counts as in use. Worlds
// hold little and make garbage fast: with it the collector runs a tenth as often, at the price of as much memory again as
// it is large. Keep it alive while worlds run. gogc is the environment's GOGC; where a user sets that, it is left alone.
func Headroom(gogc string) []byte {
	const sizeBytes = 256 << 20
	if gogc != "" {
		return nil
	}
	return make([]byte, sizeBytes)
}

// confine keeps a world of very many streams from taking twice the memory that it holds. The garbage collector then runs when a
// limit is reached, seldom as long as the world holds little and more often in the end. Where a user sets GOMEMLIMIT or GOGC,
// they are left alone.
func confine(streams int) {
	const (
		many      = 5_000
		perStream = 12 << 10  // what one of a sparse workload comes to in the end, and a quarter more
		besides   = 400 << 20 // the headroom among it
		usual     = 100       // percent of what is held, as garbage before it is collected
		seldom    = 400
	)
	if unlimited := debug.SetMemoryLimit(-1) == math.MaxInt64; !unlimited || streams < many {
		return
	}
	if before := debug.SetGCPercent(seldom); before != usual {
		debug.SetGCPercent(before)
		return
	}
	debug.SetMemoryLimit(besides + int64(streams)*perStream)
}
