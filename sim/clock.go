package sim

import (
	"math/bits"
	"time"
)

// clock is one process's view of time. Its monotonic part runs at its own rate; its wall part also has an offset and can
// be set.
type clock struct {
	ppm    int64 // parts per million by which it runs fast
	anchor int64 // world time at which it was last re-based
	base   int64 // what the monotonic clock showed then
	offset int64 // wall = start of the world + monotonic + offset
}

const million = 1_000_000

// local turns an amount of world time into the process's.
func (c *clock) local(d int64) int64 {
	if c.ppm == 0 {
		return d
	}
	return d + d/million*c.ppm + d%million*c.ppm/million
}

// real turns an amount of the process's time into the world's, rounded up, so that what sleeps never wakes early.
func (c *clock) real(d time.Duration) time.Duration {
	if c.ppm == 0 || d <= 0 {
		return d
	}
	hi, lo := bits.Mul64(uint64(d), million)
	quotient, _ := bits.Div64(hi, lo, uint64(million+c.ppm))
	return time.Duration(quotient) + 2
}

func (c *clock) elapsed(now int64) int64 { return c.base + c.local(now-c.anchor) }

// Now is the wall clock of the process.
func (p *Process) Now() time.Time {
	return p.world.cfg.Start.Add(time.Duration(p.clock.elapsed(p.world.now) + p.clock.offset))
}

// Elapsed is the monotonic clock of the process.
func (p *Process) Elapsed() time.Duration {
	p.world.count()
	return time.Duration(p.clock.elapsed(p.world.now))
}

// SetDrift makes the process's clocks run fast by ppm parts per million, or slow where it is negative. It must be above
// -1,000,000.
func (p *Process) SetDrift(ppm int) {
	now := p.world.now
	p.clock.base, p.clock.anchor = p.clock.elapsed(now), now
	p.clock.ppm = int64(ppm)
	p.world.Emit(p.name, "clock.drift", "ppm", ppm)
}

// JumpWall moves the wall clock, forwards or back. Timers do not notice.
func (p *Process) JumpWall(by time.Duration) {
	p.clock.offset += int64(by)
	p.world.Emit(p.name, "clock.jump", "by", by)
}
