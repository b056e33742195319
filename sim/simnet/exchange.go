package simnet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/novastream/nova/sim"
)

// Errors are how a contract names the two outcomes that a call itself makes: it had no effect, or nobody knows.
type Errors struct{ Unavailable, Unknown error }

// Request is one call of a process to a service.
type Request struct {
	Process *sim.Process
	Server  string // endpoint of the service
	Kind    string // "meta.put"
	Target  string // the key
	Write   bool
	Work    time.Duration // how long the service works on it; the effect happens somewhere in between
	Errors  *Errors

	// Faults that the service's plan drew for this call.
	LateBy     time.Duration // the request is stuck on its way for so long; the caller gives up sooner
	Refuse     bool          // the service refuses it as unavailable
	LoseBefore bool          // the request is lost
	LoseAfter  bool          // the answer is lost
	Twice      bool          // a client library repeats the request by itself and gives the second answer
}

// ErrDropped is what serve returns where the service drops the call: it is not passed on, and the caller cannot know
// whether it was carried out.
var ErrDropped = errors.New("simnet: dropped by the service")

// stages of an exchange
const (
	arrive uint32 = iota
	arriveAgain
	answer
	giveUp
)

// exchange is one call under way. It outlives its caller.
type exchange[T any] struct {
	wait   sim.Wait
	net    *Network
	req    Request
	serve  func() (T, error)
	fate   sim.Fate
	rest   time.Duration // work after the effect
	value  T
	err    error
	closed bool   // answered or given up
	cause  uint64 // the traced event that it stems from
	step   string // the last named step of the task that sent it
}

// Exchange sends a request, has serve carry it out at the service, and waits for the answer or the end of ctx. A write
// that ends without an answer is Unknown, a read Unavailable or the context's error. serve must not wait; it runs once
// for each delivery, possibly after the caller is gone, possibly never.
func Exchange[T any](ctx context.Context, n *Network, req Request, serve func() (T, error)) (T, error) {
	var none T
	p := req.Process
	p.Enter()
	if err := ctx.Err(); err != nil {
		return none, req.ended(err)
	}
	x := &exchange[T]{net: n, req: req, serve: serve, cause: n.world.Cause(), step: n.world.LastStep()}
	began := n.world.Now()
	if req.Write {
		x.fate = p.Effect(req.Kind, req.Target)
	} else {
		p.Read(req.Kind, req.Target)
	}
	x.send()
	err := p.Await(ctx, &x.wait, req.Kind, req.Target)
	if err != nil {
		x.closed = true
		x.value, x.err = none, req.ended(err)
	}
	if w := n.world; w.Tracing() {
		w.Emit(p.Name(), req.Kind, "at", req.Server, "key", req.Target, "took", w.Now()-began, "error", textOf(x.err))
	}
	return x.value, x.err
}

// ended is the error of a call whose context ended.
func (r *Request) ended(err error) error {
	if r.Write {
		return fmt.Errorf("%w: %w", r.Errors.Unknown, err)
	}
	return err
}

// send puts the request on its way.
func (x *exchange[T]) send() {
	n, r := x.net, &x.req
	w := n.world
	if x.fate == sim.Late {
		w.Hold(func() { x.execute() })
		r.Process.Kill()
		return // the caller unwinds in Await
	}
	client := r.Process.Name()
	delay, arrives := n.Send(client, r.Server)
	if x.fate != sim.Normal {
		arrives = true // the enumerated fate is the only thing that goes wrong
	} else if !arrives && n.Severed(client, r.Server) && n.Dice(client).Uint32N(2) == 0 {
		x.err = r.Errors.Unavailable // the connection was known to be broken: nothing was sent
		w.AfterEvent(n.cfg.Local.Base, x, answer)
		return
	}
	if !arrives || r.LoseBefore && x.fate == sim.Normal {
		w.AfterEvent(n.patience(client), x, giveUp)
		return
	}
	before := time.Duration(0)
	if r.Work > 0 {
		before = time.Duration(n.Dice(client).Int64N(int64(r.Work)))
		x.rest = r.Work - before
	}
	if r.LateBy > 0 && x.fate == sim.Normal {
		w.AfterEvent(n.patience(client), x, giveUp)
	}
	w.AfterEvent(delay+before+r.LateBy, x, arrive)
	if r.Twice && x.fate == sim.Normal {
		again, _ := n.Send(client, r.Server)
		w.AfterEvent(2*delay+r.Work+r.LateBy+again, x, arriveAgain)
	}
}

// patience is how long the caller waits for an answer that will not come.
func (n *Network) patience(caller string) time.Duration {
	return n.cfg.Patience/4 + sim.Upto(n.Dice(caller), n.cfg.Patience*3/4)
}

// Fire takes the exchange to its next stage.
func (x *exchange[T]) Fire(stage uint32) {
	x.net.world.SetCause(x.cause)
	switch stage {
	case arrive:
		if !x.req.Write && (x.closed || !x.req.Process.Alive()) {
			return // nobody wants to know any more
		}
		x.execute()
		if !x.req.Twice || x.fate != sim.Normal {
			x.reply()
		}
	case arriveAgain:
		x.execute()
		x.reply()
	case giveUp:
		if !x.closed {
			x.err = x.lost()
			x.close()
		}
	case answer:
		if !x.closed {
			x.close()
		}
	}
}

// lost is what the caller makes of an answer that never came.
func (x *exchange[T]) lost() error {
	if x.req.Write {
		return x.req.Errors.Unknown
	}
	return x.req.Errors.Unavailable
}

func (x *exchange[T]) close() {
	x.closed = true
	x.wait.Done()
}

// execute is the instant of the effect.
func (x *exchange[T]) execute() {
	w := x.net.world
	w.SetCause(x.cause)
	if x.fate == sim.Refused {
		x.err = x.req.Errors.Unknown
		return
	}
	var value T
	err := x.req.Errors.Unavailable
	if !x.req.Refuse || x.fate != sim.Normal {
		w.Act(x.step)
		value, err = x.serve()
		w.Act("")
		x.cause = w.Cause()
	}
	w.FoldString(x.req.Target)
	if err != nil {
		w.Fold(1)
	}
	switch {
	case x.fate == sim.After:
		x.req.Process.Kill()
	case x.fate == sim.Lost:
		x.err = x.req.Errors.Unknown
	case !x.closed:
		x.value, x.err = value, err
	}
}

// reply puts the answer on its way.
func (x *exchange[T]) reply() {
	n, r := x.net, &x.req
	if x.closed || !r.Process.Alive() {
		return
	}
	delay, arrives := n.Send(r.Server, r.Process.Name())
	if x.fate == sim.Normal && (!arrives || r.LoseAfter || errors.Is(x.err, ErrDropped)) {
		n.world.AfterEvent(n.patience(r.Process.Name()), x, giveUp)
		return
	}
	n.world.AfterEvent(delay+x.rest, x, answer)
}

// textOf is an error for the trace.
func textOf(err error) string {
	if err == nil {
		return "none"
	}
	return err.Error()
}
