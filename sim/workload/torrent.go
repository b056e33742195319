package workload

import (
	"context"
	"slices"
	"time"

	"github.com/novastream/nova/core/client"
)

// torrent streams small batches without a pause, longer than a session lives: whatever strikes meets flights under way.
// There are few at a time, and meanwhile the others take an interest in their streams.
func (s *spell) torrent(ctx context.Context) {
	w := s.life.seat.work
	if len(w.torrents) >= maxTorrents || s.stream.Fenced() || slices.Contains(w.torrents, s.stream) {
		s.pipeline(ctx)
		return
	}
	over := begin(&w.torrents, s.stream)
	s.life.run.OnDeath(over)
	pipe := &pipe{
		spell: s, changed: s.life.run.NewSignal(), small: true, underWay: 16, gap: one(s.rng, []time.Duration{60 * time.Millisecond, 120 * time.Millisecond, 200 * time.Millisecond}),
		until: s.life.run.Elapsed() + between(s.rng, 15*time.Second, 50*time.Second),
	}
	for s.life.going(ctx) && s.life.run.Elapsed() < pipe.until {
		p := s.open(ctx, client.ProducerOptions{})
		if p == nil || !pipe.carry(ctx, p) {
			break
		}
	}
	over()
}

// maxTorrents is how many streams are streamed into at once.
const maxTorrents = 2

// begin makes a stream known as one of those that somebody is at; over ends that.
func begin(among *[]*Stream, s *Stream) (over func()) {
	*among = append(*among, s)
	done := false
	return func() {
		if i := slices.Index(*among, s); !done && i >= 0 {
			done = true
			*among = slices.Delete(*among, i, i+1)
		}
	}
}
