package simpeer

import (
	"context"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
)

// remote is a star at an address, as one process reaches it.
type remote struct {
	peers   *Peers
	process *sim.Process
	addr    string
}

var _ peer.Star = (*remote)(nil)

// unary is one call under way.
type unary[R any] struct {
	conn
	wait   sim.Wait
	kind   string
	fate   sim.Fate
	run    func(context.Context, peer.Star) (R, error)
	cancel context.CancelFunc // of the task at the star
	value  R
	err    *peer.Error
}

// call carries a call to the star. repeatable says that the network may deliver it twice.
func call[R any](
	ctx context.Context, r *remote, kind string, repeatable bool, run func(context.Context, peer.Star) (R, error),
) (R, error) {
	var none R
	p := r.process
	p.Enter()
	u := &unary[R]{kind: kind, run: run}
	if err := ctx.Err(); err != nil {
		u.addr = r.addr
		return none, u.failure(false, "the context had ended", err)
	}
	u.fate = p.Effect(kind, r.addr)
	began := r.peers.world.Now()
	r.peers.connect(&u.conn, p, r.addr, u, u)
	u.send(repeatable)
	if err := p.Await(ctx, &u.wait, kind, r.addr); err != nil {
		u.hangUp()
		u.err = u.failure(true, "no answer came in time", err)
	}
	if w := r.peers.world; w.Tracing() {
		w.Emit(p.Name(), kind, "at", r.addr, "took", w.Now()-began, "error", textOf(u.err))
	}
	if u.err != nil {
		return none, u.err
	}
	return u.value, nil
}

// send puts the request on its way.
func (u *unary[R]) send(repeatable bool) {
	x, p := u.peers, u.from.process
	switch u.fate {
	case sim.Late:
		x.world.Hold(u.arrive)
		p.Kill()
		return // the caller unwinds in Await
	case sim.Refused:
		u.lose()
		return
	case sim.Normal:
		if x.net.Severed(p.Name(), u.host) && x.net.Dice(p.Name()).Uint32N(2) == 0 {
			u.farDone = true // the connection was known to be broken: nothing was sent
			u.sendLocal(func() { u.answer(u.failure(false, "it cannot be reached", nil)) })
			return
		}
		if repeatable && x.net.Duplicates(p.Name()) {
			u.sendUp(u.repeat)
		}
	default: // After and Lost arrive
	}
	u.sendUp(u.arrive)
	if u.fate == sim.After {
		p.Kill()
	}
}

// sendLocal is an answer of the caller's own side of the network.
func (u *unary[R]) sendLocal(deliver func()) {
	u.peers.world.After(u.peers.net.Patience()/8, func() {
		if !u.nearDone {
			deliver()
		}
	})
}

// arrive starts the call at the star.
func (u *unary[R]) arrive() {
	l := u.peers.listeners[u.addr]
	if reason := l.refuses(); reason != "" {
		u.farDone = true
		u.sendDown(func() { u.answer(u.failure(false, reason, nil)) })
		return
	}
	u.attach(l.process)
	var ctx context.Context
	ctx, u.cancel = l.process.WithCancel(context.Background()) // a call outlives the star's order to stop
	l.process.GoOn(ctx, u.kind, func(ctx context.Context) {
		value, err := u.run(ctx, l.star)
		u.cancel()
		if !u.farDone {
			u.reply(l.process, value, err)
		}
	})
}

// repeat runs the call once more at the star; nobody hears its answer.
func (u *unary[R]) repeat() {
	if l := u.peers.listeners[u.addr]; l.refuses() == "" {
		l.process.Go(u.kind, func(ctx context.Context) { _, _ = u.run(ctx, l.star) })
	}
}

// reply sends the answer of the star's task, which is an effect of the star.
func (u *unary[R]) reply(star *sim.Process, value R, err error) {
	fate := star.Effect("peer.answer", u.kind)
	if u.fate == sim.Lost || fate == sim.Refused {
		u.farDone = true
		u.reset()
		return
	}
	deliver := func() {
		u.value = value
		u.answer(travelled(err))
	}
	if fate == sim.Late {
		u.peers.world.Hold(deliver)
	} else {
		u.sendDown(deliver)
	}
	u.finish()
	if fate == sim.After || fate == sim.Late {
		star.Kill()
		star.Enter()
	}
}

// answer ends the call at the caller.
func (u *unary[R]) answer(err *peer.Error) {
	u.nearDone = true
	u.err = err
	u.close()
	u.wait.Done()
}

func (u *unary[R]) nearBroken(reason string) {
	u.err = u.failure(true, reason, nil)
	u.wait.Done()
}

func (u *unary[R]) farBroken() {
	if u.cancel != nil {
		u.cancel()
	}
}
