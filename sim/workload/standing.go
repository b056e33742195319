package workload

import (
	"context"
	"fmt"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/run"
	"github.com/novastream/nova/sim"
)

// standing is a producer that is open most of the time and seldom appends. When the chain of its leader is being fenced it
// either writes as fast as it can for a moment, so that the fencer and the writer meet at full speed; or it only asks, by
// appends whose condition cannot hold, whether the one that is superseded still answers.
type standing struct {
	life   *life
	star   keys.StarID // its leader, as far as it knows
	alarm  run.Signal
	hurry  time.Duration // on the clock of the process: until then it writes fast, or asks
	asks   bool
	closed bool
}

// How a standing producer behaves.
const (
	shortestStand = 30 * time.Second
	longestStand  = 2 * time.Minute
	longestHush   = 8 * time.Second // between two of its appends
	burstTime     = 1500 * time.Millisecond
	askTime       = 6 * time.Second
)

// stand holds producers open, one after another.
func (l *life) stand(ctx context.Context) {
	w := l.seat.work
	s := &standing{life: l, alarm: l.run.NewSignal(), asks: l.seat.index%4 == 1}
	w.standing = append(w.standing, s)
	l.run.OnDeath(func() { s.closed = true })
	rng := w.chance(fmt.Sprintf("%s/%d/stand", l.seat.name, l.seat.lives))
	hand := w.journal.Hand()
	for l.pause(ctx, between(rng, 0, 5*time.Second)) {
		cue := l.seat.stands.Next()
		if !cue.On() || !l.pause(ctx, cue.Wait()) {
			continue
		}
		spell := &spell{life: l, rng: cue.Rand(), hand: hand, cue: cue}
		spell.stream = w.pick(spell.rng)
		if spell.stream.Fenced() || spell.stream.gone {
			continue
		}
		pipe := &pipe{
			spell: spell, changed: l.run.NewSignal(), small: true, underWay: 24,
			until: l.run.Elapsed() + between(spell.rng, shortestStand, longestStand), wait: s.wait,
		}
		for l.going(ctx) && l.run.Elapsed() < pipe.until {
			p := spell.open(ctx, client.ProducerOptions{})
			if p == nil {
				break
			}
			s.star = keys.StarID(p.Opened().Star)
			if !pipe.carry(ctx, p) {
				break
			}
		}
	}
	s.closed = true
}

// wait is the time between two appends.
func (s *standing) wait(ctx context.Context, p *pipe) bool {
	l, rng := s.life, p.spell.rng
	if left := s.hurry - l.run.Elapsed(); left <= 0 {
		ctx, cancel := l.run.WithTimeout(ctx, between(rng, time.Second, longestHush))
		_ = s.alarm.Wait(ctx) // the time is up, or there is an alarm
		cancel()
	}
	p.asks = s.asks && s.hurry > l.run.Elapsed()
	if p.asks {
		return l.pause(ctx, between(rng, 0, 200*time.Millisecond))
	}
	return l.pause(ctx, between(rng, 0, 20*time.Millisecond))
}

// noted raises the alarm where a star begins to fence another's chain.
func (w *Workload) noted(_ *sim.Process, what string, kv []any) {
	if what != "gate fences" {
		return
	}
	for _, s := range w.standing {
		for i := 0; i+1 < len(kv); i += 2 {
			if !s.closed && kv[i] == "star" && kv[i+1] == s.star {
				s.asks = !s.asks
				s.hurry = s.life.run.Elapsed() + burstTime
				if s.asks {
					s.hurry = s.life.run.Elapsed() + askTime
				}
				s.alarm.Broadcast()
			}
		}
	}
}
