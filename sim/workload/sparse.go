package workload

import (
	"context"
	"fmt"
	"time"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/io/peer"
)

// BurstTime is how long the burst of opens of a sparse workload takes. It is shorter than an Any stream outlives its last
// producer, so that all streams are led when it is over.
const BurstTime = 25 * time.Second

const (
	creators   = 256 // streams are created so many at a time
	sparseTime = 40 * time.Second
)

// setupSparse creates many streams, as tasks of a process of its own.
func (w *Workload) setupSparse() {
	p, c := w.fleet.Client("setup")
	next, left := 0, creators
	create := func(ctx context.Context) {
		for next < len(w.streams) {
			s := w.streams[next]
			next++
			if _, err := c.CreateStream(ctx, peer.CreateStreamRequest{Stream: s.Name, Class: s.Class}); err != nil && !peer.Is(err, peer.AlreadyExists) {
				w.complain("creating stream %s was refused: %v", s.Name, err)
			}
		}
		left--
		w.ready = left == 0
	}
	p.Go("setup", func(ctx context.Context) {
		if _, err := c.CreateBucket(ctx, peer.Bucket{Name: bucketOfAll}); err != nil && !peer.Is(err, peer.AlreadyExists) {
			w.complain("creating bucket %s was refused: %v", bucketOfAll, err)
		}
		for range creators {
			p.Go("create", create)
		}
	})
}

// sparseAt is the stream at an index of a sparse workload.
func sparseAt(i int) *Stream {
	s := &Stream{Mode: peer.ModeAny, Class: peer.ClassStandard}
	if i%2 == 1 {
		s.Class = peer.ClassExpress
	}
	s.Name = peer.StreamName{Bucket: bucketOfAll, Key: fmt.Sprintf("sparse/%d", i)}
	return s
}

// startSparse lets each stream be used now and then: all of them in a burst at first, then each again at some time of a
// while. A stream that waits costs a timer; what uses it is a task as long as it does.
func (w *Workload) startSparse(lasting time.Duration) {
	for _, s := range w.clients {
		s.lives++
		l := &life{seat: s, rng: w.chance(s.name)}
		l.run, l.client = w.fleet.Client(s.name)
		s.life = l
	}
	rng := w.chance("sparse")
	for i, s := range w.streams {
		seat := w.clients[i%len(w.clients)]
		use := func() { seat.use(s) }
		w.world.After(between(rng, 0, BurstTime), use)
		if lasting > BurstTime {
			w.world.After(between(rng, BurstTime, lasting), use)
		}
	}
}

// SlowestOpen is the longest that an open of a sparse workload took since the last call.
func (w *Workload) SlowestOpen() time.Duration {
	slowest := w.slowest
	w.slowest = 0
	return slowest
}

// use opens a stream, appends a record, and gives the handle back.
func (s *seat) use(stream *Stream) {
	if s.work.stopped || s.life == nil {
		return
	}
	l := s.life
	s.task("use", func(ctx context.Context) {
		ctx, cancel := l.run.WithTimeout(ctx, sparseTime)
		defer cancel()
		spell := &spell{life: l, rng: l.rng, hand: s.work.journal.Hand(), stream: stream}
		op, began := spell.hand.Open(stream, 0), s.work.world.Now()
		p, err := l.client.OpenProducer(ctx, stream.Name, client.ProducerOptions{})
		s.work.slowest = max(s.work.slowest, s.work.world.Now()-began)
		if err != nil {
			op.Refused(err)
			return
		}
		op.Opened(p.Opened())
		b := peer.Batch{Records: []peer.Record{s.work.bodies.record(l.rng, 64)}}
		op = spell.hand.Append(stream, b, 0)
		if ack, err := p.Append(ctx, b); err != nil {
			op.Refused(err)
		} else {
			op.Acked(ack)
		}
		spell.close(ctx, p)
	})
}
