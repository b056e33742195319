package workload

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
)

// seat is a client of the fleet over all its lives.
type seat struct {
	work  *Workload
	index int
	name  string
	lives int
	life  *life
	tasks int // of the life, that have not come to rest

	produces, reads, stands, asks, crashes *sim.Line // what its tasks do, over all its lives
}

func newSeat(w *Workload, index int) *seat {
	s := &seat{work: w, index: index, name: fmt.Sprintf("client-%d", index+1)}
	line := func(what string) *sim.Line { return w.world.Line(s.name + " " + what) }
	s.produces, s.reads, s.stands, s.asks, s.crashes = line("produce"), line("read"), line("stand"), line("ask oddly"), line("crash")
	return s
}

// life is one process life of a client.
type life struct {
	seat   *seat
	run    *sim.Process
	client *client.Client
	rng    *rand.Rand // of its length, and of the rests of the producer task
}

// How long a life that crashes lasts, and for how long its client stays away.
const (
	shortestLife = 20 * time.Second
	longestLife  = 4 * time.Minute
	longestAway  = 25 * time.Second
)

// begin starts the next life. A client that does nothing has none.
func (s *seat) begin() {
	if script := s.work.world.Script(); s.work.stopped || script != nil && !script.Has(s.name) {
		return
	}
	s.lives++
	l := &life{seat: s, rng: s.work.chance(fmt.Sprintf("%s/%d/produce", s.name, s.lives))}
	l.run, l.client = s.work.fleet.Client(s.name)
	s.life = l
	if s.work.tape != nil {
		s.task("play", l.play)
		return
	}
	s.task("produce", l.produce)
	s.task("read", newReader(l).loop)
	if s.index%2 == 1 {
		s.task("stand", l.stand)
	}
	if s.index == 0 {
		s.task("ask oddly", newOddities(l).loop)
	}
	if chance := s.work.chance(fmt.Sprintf("%s/%d/crash", s.name, s.lives)); percent(chance, s.work.temper.crashes) {
		s.work.world.After(between(chance, shortestLife, longestLife), func() { // wherever it is by then
			if cue := s.crashes.Next(); cue.On() {
				s.crash(l)
			}
		})
	}
}

func (s *seat) task(name string, loop func(context.Context)) {
	s.tasks++
	s.life.run.Go(name, func(ctx context.Context) {
		loop(ctx)
		s.tasks--
	})
}

// crash ends a life and plans the next one.
func (s *seat) crash(l *life) {
	if s.life != l || s.work.stopped {
		return
	}
	away := between(s.work.chance(fmt.Sprintf("%s/%d/away", s.name, s.lives)), 10*time.Millisecond, longestAway)
	s.kill()
	s.work.world.After(away, s.begin)
}

func (s *seat) kill() {
	if l := s.life; l != nil {
		s.life, s.tasks = nil, 0
		l.run.Kill()
	}
}

// going says whether the client asks anything more.
func (l *life) going(ctx context.Context) bool { return !l.seat.work.stopped && ctx.Err() == nil }

// pause waits between two things that a client does. False: it is over.
func (l *life) pause(ctx context.Context, d time.Duration) bool {
	return l.going(ctx) && l.run.Sleep(ctx, d) == nil && l.going(ctx)
}

// within is a context with one of the deadlines that callers set: now and then too short for anything.
func (l *life) within(ctx context.Context, rng *rand.Rand) (context.Context, context.CancelFunc) {
	switch n := rng.IntN(100); {
	case n < 4:
		return l.run.WithTimeout(ctx, between(rng, time.Millisecond, 100*time.Millisecond))
	case n < 30:
		return l.run.WithTimeout(ctx, between(rng, time.Second, 6*time.Second))
	default:
		return l.run.WithTimeout(ctx, between(rng, 20*time.Second, 45*time.Second))
	}
}

// produce goes from spell to spell.
func (l *life) produce(ctx context.Context) {
	w := l.seat.work
	hand := w.journal.Hand()
	for l.pause(ctx, between(l.rng, 0, w.temper.rest)) {
		cue := l.seat.produces.Next()
		if !cue.On() || !l.pause(ctx, cue.Wait()) {
			continue
		}
		rng := cue.Rand()
		s := &spell{life: l, rng: rng, hand: hand, stream: w.pick(rng), cue: cue}
		if s.stream.gone {
			continue
		}
		s.run(ctx)
		if percent(l.rng, w.temper.idles) { // long enough that what it used goes idle
			l.pause(ctx, between(l.rng, 20*time.Second, 50*time.Second))
		}
	}
}

// spell is one way of using one stream for a while.
type spell struct {
	life   *life
	rng    *rand.Rand
	hand   *Hand
	stream *Stream
	cue    sim.Cue // the spell; its batches are acts that belong to it
}

// due waits until the next batch of the spell is due. False: it is left out.
func (s *spell) due(ctx context.Context) bool {
	cue := s.cue.Next()
	return cue.On() && (cue.Wait() == 0 || s.life.pause(ctx, cue.Wait()))
}

// run draws a way.
func (s *spell) run(ctx context.Context) {
	switch n := s.rng.IntN(100); {
	case n < 5:
		s.torrent(ctx)
	case n < 30:
		s.plain(ctx)
	case n < 48:
		s.pipeline(ctx)
	case n < 65:
		s.conditional(ctx)
	case n < 80:
		s.exactlyOnce(ctx)
	case n < 88:
		s.takeover(ctx)
	case n < 93:
		s.openAndClose(ctx)
	case n < 96:
		s.crashMidAppend(ctx)
	default:
		s.resume(ctx)
	}
}

// open opens a producer and records it; nil where it was refused.
func (s *spell) open(ctx context.Context, opts client.ProducerOptions) *client.Producer {
	opts.Create = s.stream.OnOpen
	op := s.hand.Open(s.stream, opts.Token)
	ctx, cancel := s.life.within(ctx, s.rng)
	defer cancel()
	over := begin(&s.life.seat.work.awaited, s.stream)
	s.life.run.OnDeath(over)
	defer over()
	p, err := s.life.client.OpenProducer(ctx, s.stream.Name, opts)
	if err != nil {
		op.Refused(err)
		return nil
	}
	op.Opened(p.Opened())
	return p
}

// close gives the handle back.
func (s *spell) close(ctx context.Context, p *client.Producer) {
	ctx, cancel := s.life.run.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_ = p.Close(ctx) // where it does not arrive, the star finds out by itself
}

// batch draws a batch.
func (s *spell) batch() peer.Batch {
	return peer.Batch{Records: s.life.seat.work.bodies.batch(s.rng)}
}

// gap waits between two appends of a spell. False: it is over.
func (s *spell) gap(ctx context.Context) bool {
	switch n := s.rng.IntN(100); {
	case n < 30:
		return s.life.going(ctx)
	case n < 97:
		return s.life.pause(ctx, between(s.rng, time.Millisecond, s.life.seat.work.temper.gap))
	default:
		return s.life.pause(ctx, between(s.rng, time.Second, 5*time.Second))
	}
}
