package simpeer

import (
	"context"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
	"github.com/novastream/nova/sim"
)

// serving is the star's side of a session. Two tasks carry it: one hands batches to the star, the other takes the star's
// answers back. While the star holds the first, the client's window fills.
type serving struct {
	session *session
	process *sim.Process
	handle  peer.Session
	inbox   []inBatch
	half    bool // no batch will come any more
	taken   int  // batches the star took and has not answered
	taking  bool // the first task lives
	failed  error
	changed run.Signal
}

type inBatch struct {
	batch peer.Batch
	size  int
}

// arrive starts the open at the star.
func (s *session) arrive() {
	l := s.peers.listeners[s.addr]
	if reason := l.refuses(); reason != "" {
		s.farDone = true
		s.sendDown(func() { s.refuse(reason) })
		return
	}
	s.attach(l.process)
	v := &s.star
	v.session, v.process = s, l.process
	v.changed = l.process.NewNamedSignal("session of " + s.from.process.Name())
	var ctx context.Context
	ctx, s.serverLife = l.process.WithCancel(context.Background()) // a session outlives the star's order to stop
	l.process.GoOn(ctx, "peer.open-session", func(ctx context.Context) { v.open(ctx, l.star) })
}

// arriveAgain opens a second handle, as a repeated request does, and gives it back.
func (s *session) arriveAgain() {
	l := s.peers.listeners[s.addr]
	if l.refuses() != "" {
		return
	}
	l.process.Go("peer.open-session", func(ctx context.Context) {
		if handle, err := l.star.OpenSession(ctx, s.request); err == nil {
			_ = handle.Close(ctx) // nobody is left to tell
		}
	})
}

func (s *session) farBroken() {
	if s.serverLife != nil {
		s.serverLife()
		s.star.changed.Broadcast()
	}
}

// open opens the handle and serves it to its end.
func (v *serving) open(ctx context.Context, star peer.Star) {
	s := v.session
	handle, err := star.OpenSession(ctx, s.request)
	if err != nil {
		v.end(travelled(err), s.fate == sim.Lost)
		return
	}
	v.handle = handle
	opened := handle.Opened()
	v.answer("open-session", s.fate == sim.Lost, func() {
		s.opened = opened
		s.opening.Done()
	})
	v.taking = true
	v.process.GoOn(ctx, "peer.session-take", v.takeAll)
	over := v.answerAll(ctx)
	v.finish(over)
}

// answer sends one message to the client; it is an effect of the star.
func (v *serving) answer(what string, lost bool, deliver func()) {
	s := v.session
	if s.farDone {
		return
	}
	switch fate := v.process.Effect("peer.answer", what); {
	case lost || fate == sim.Refused:
		s.reset()
	case fate == sim.Late:
		s.peers.world.Hold(deliver)
		v.process.Kill()
	default:
		s.sendDown(deliver)
		if fate == sim.After {
			v.process.Kill()
		}
	}
	v.process.Enter() // it may have died of its fate
}

// take is the arrival of a batch.
func (v *serving) take(batch peer.Batch, size int) {
	v.inbox = append(v.inbox, inBatch{batch, size})
	v.changed.Broadcast()
}

// halfClose is the arrival of the client's close.
func (v *serving) halfClose() {
	v.half = true
	if v.changed != nil {
		v.changed.Broadcast()
	}
}

// takeAll hands batches to the star in the order of their arrival.
func (v *serving) takeAll(ctx context.Context) {
	s := v.session
	defer func() { v.taking = false }()
	for v.failed == nil {
		if len(v.inbox) == 0 {
			if v.half {
				break
			}
			if v.failed = v.changed.Wait(ctx); v.failed != nil {
				break
			}
			continue
		}
		next := v.inbox[0]
		v.inbox = v.inbox[1:]
		if v.failed = v.handle.Send(ctx, next.batch); v.failed != nil {
			break
		}
		v.taken++
		v.changed.Broadcast()
		if !s.farDone {
			s.sendDown(func() {
				s.bytes -= next.size
				s.changed.Broadcast()
			})
		}
	}
	v.taking = false
	v.changed.Broadcast()
}

// answerAll sends the star's answers back, one for each batch it took, and says why it ended.
func (v *serving) answerAll(ctx context.Context) *peer.Error {
	s := v.session
	for {
		for v.taken == 0 {
			if !v.taking {
				return travelled(v.failed)
			}
			if err := v.changed.Wait(ctx); err != nil {
				return travelled(err)
			}
		}
		ack, err := v.handle.Recv(ctx)
		if err != nil {
			return travelled(err)
		}
		v.taken--
		if ack.Err != nil {
			ack.Err = travelled(ack.Err)
		}
		v.answer("ack", false, func() {
			s.acks = append(s.acks, ack)
			s.changed.Broadcast()
		})
	}
}

// finish gives the handle back, then tells the client.
func (v *serving) finish(over *peer.Error) {
	v.session.serverLife()
	root := context.Background() // the client may be gone, and the process told to stop: the handle is given back all the same
	for v.taking {
		if err := v.changed.Wait(root); err != nil {
			break
		}
	}
	ctx, done := v.process.WithTimeout(root, closeTimeOut)
	_ = v.handle.Close(ctx) // the star ends a handle that cannot be closed with the leadership it is on
	done()
	v.end(over, false)
}

// end is the last message.
func (v *serving) end(over *peer.Error, lost bool) {
	s := v.session
	if s.farDone {
		return
	}
	v.answer("session-end", lost, func() {
		if over == nil {
			over = s.failure(s.sent > s.answered, errClosed.Error(), nil)
		}
		s.end(over)
	})
	s.finish()
}
