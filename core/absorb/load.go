package absorb

import "time"

// When a pass begins, whichever comes first.
const (
	passEvery = time.Second
	passBytes = 64 << 20
	passRows  = 4096
)

// load is what came since the last pass began.
type load struct {
	waiting bool
	since   time.Duration // when the first of it came, on the monotonic clock
	bytes   int
}

func (l *load) add(bytes int, now time.Duration) {
	if !l.waiting {
		l.waiting, l.since = true, now
	}
	l.bytes += bytes
}

// due says whether a pass over so many streams begins now, and else for how long to wait unless something comes; below
// zero: for ever.
func (l load) due(streams int, now time.Duration) (pass bool, wait time.Duration) {
	age := now - l.since
	switch {
	case !l.waiting:
		return false, -1
	case l.bytes >= passBytes, l.bytes > 0 && streams >= passRows, age >= passEvery:
		return true, 0
	default:
		return false, passEvery - age
	}
}
