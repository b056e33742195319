package leadership

import (
	"context"
	"time"
)

// idleMark says that a leadership had no handle when it was made, and is due for release if nothing came since.
type idleMark struct {
	l     *Leadership
	idles uint64
	due   time.Duration
}

// markIdle starts the idle time-out of an Any stream.
func (m *Manager) markIdle(l *Leadership) {
	l.idles++
	m.idle = append(m.idle, idleMark{l, l.idles, m.env.Run.Elapsed() + IdleTimeout})
	m.idled.Broadcast()
}

// Run releases leaderships whose idle time-out passed unclaimed, until ctx ends. One task serves all streams.
func (m *Manager) Run(ctx context.Context) {
	for {
		var err error
		if len(m.idle) == 0 {
			m.idle = nil
			err = m.idled.Wait(ctx)
		} else {
			err = m.env.Run.Sleep(ctx, m.idle[0].due-m.env.Run.Elapsed())
		}
		if err != nil {
			return
		}
		m.releaseIdle()
	}
}

func (m *Manager) releaseIdle() {
	now := m.env.Run.Elapsed()
	for len(m.idle) > 0 && m.idle[0].due <= now {
		mark := m.idle[0]
		m.idle = m.idle[1:]
		unclaimed := func() bool { return len(mark.l.sessions) == 0 && mark.l.idles == mark.idles }
		if mark.l.phase == leading && unclaimed() {
			m.env.Run.Go("idle release", func(ctx context.Context) { m.depart(ctx, mark.l, unclaimed) })
		}
	}
}
