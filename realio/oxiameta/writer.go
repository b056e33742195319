package oxiameta

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// attemptTimeout bounds one try at one server.
const attemptTimeout = 8 * time.Second

// writer carries the writes of one shard, in the order of submit, over one stream at a time.
//
// Its goroutine begins with the first write and goes through the same round again and again: wait for something to send; open a
// stream at the leader and let it acknowledge a write without effect, which proves that it leads and that what earlier
// streams left behind is decided; recover what they left unanswered (recover.go); send batches until the stream ends.
type writer struct {
	shard *shard
	wake  chan struct{} // of capacity one: the queue or the window has changed

	mu      sync.Mutex
	queue   []*write // to be sent
	orphans []*write // sent to a shard that is gone, not answered, and now this one's
	running bool
	ended   error // nothing is taken any more

	unanswered []*write // sent on streams that ended, in order; the goroutine's own
}

func newWriter(s *shard) *writer { return &writer{shard: s, wake: make(chan struct{}, 1)} }

// submit takes a write, unless the shard is gone or the client closed.
func (w *writer) submit(x *write) error { return w.take(x, false) }

func (w *writer) take(x *write, orphan bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended != nil {
		return w.ended
	}
	if !w.running {
		if !w.shard.space.client.start(w.run) {
			return errClosed
		}
		w.running = true
	}
	if orphan {
		w.orphans = append(w.orphans, x)
	} else {
		w.queue = append(w.queue, x)
	}
	signal(w.wake)
	return nil
}

// run is the goroutine.
func (w *writer) run(ctx context.Context) {
	for {
		err := w.demand(ctx)
		if err == nil {
			err = w.serve(ctx)
		}
		if err != nil {
			w.end(ctx, err)
			return
		}
	}
}

// demand waits until somebody wants something written.
func (w *writer) demand(ctx context.Context) error {
	for {
		_, changed, err := w.shard.current()
		if err != nil {
			return err
		}
		w.mu.Lock()
		w.unanswered = append(w.unanswered, w.orphans...)
		w.orphans = nil
		w.queue = wanted(w.queue)
		w.unanswered = wanted(w.unanswered)
		some := len(w.queue)+len(w.unanswered) > 0
		w.mu.Unlock()
		if some {
			return nil
		}
		select {
		case <-w.wake:
		case <-changed:
		case <-ctx.Done():
			return errClosed
		}
	}
}

func wanted(writes []*write) []*write {
	return slices.DeleteFunc(writes, func(x *write) bool { return !x.wanted() })
}

// serve is one stream, from its opening to its end. An error ends the writer.
func (w *writer) serve(ctx context.Context) error {
	t, err := w.shard.turn(ctx)
	switch {
	case errors.Is(err, errGone):
		return err
	case ctx.Err() != nil:
		return errClosed
	case err != nil: // an address that is none
		w.refuse(err)
		return nil
	}
	st, err := w.open(ctx, t)
	if err != nil {
		w.stumbled(t, err)
		return nil
	}
	w.shard.succeeded()
	if err := w.recover(ctx, st); err != nil {
		_, _ = st.leave() // nothing of it is on the stream
		w.stumbled(t, err)
		return nil
	}
	w.pump(ctx, st, t)
	left, err := st.leave()
	w.unanswered = append(w.unanswered, left...)
	if err == nil || ctx.Err() != nil {
		return nil
	}
	f := classify(err)
	w.shard.space.client.cfg.Log.Info("write stream ended", "shard", w.shard.String(), "server", t.addr, "unanswered", len(left), "error", err)
	w.shard.failed(t, f)
	if f.kind == undefined || f.kind == refused { // one of these may be the reason: none is sent again
		for _, x := range w.unanswered {
			x.lose(err)
		}
		w.unanswered = nil
	}
	return nil
}

// stumbled is what to do when a stream could not be opened or used.
func (w *writer) stumbled(t turn, err error) {
	if errors.Is(err, errLeft) || errors.Is(err, errGone) || errors.Is(err, errClosed) {
		return
	}
	f := classify(err)
	w.shard.failed(t, f)
	if f.kind == refused {
		w.refuse(err)
	}
}

// refuse gives up what waits: nobody can write it.
func (w *writer) refuse(err error) {
	w.mu.Lock()
	queue := w.queue
	w.queue = nil
	w.mu.Unlock()
	for _, x := range slices.Concat(w.unanswered, queue) {
		x.lose(err)
	}
	w.unanswered = nil
}

// pump sends what is queued, a window of batches ahead of the answers, until the stream ends or belongs elsewhere.
func (w *writer) pump(ctx context.Context, st *stream, t turn) {
	cfg := w.shard.space.client.cfg
	defer w.shard.counts.unanswered.Store(0)
	for st.alive() {
		changed, err := w.elsewhere(st)
		if err != nil {
			return
		}
		unanswered := st.unansweredBatches()
		w.shard.counts.unanswered.Store(int64(unanswered))
		if unanswered < cfg.WriteWindow {
			b, orphans := w.next(cfg.MaxBatchBytes)
			if orphans {
				if err := w.recover(ctx, st); err != nil {
					w.stumbled(t, err)
					return
				}
				continue
			}
			if b != nil {
				w.shard.counts.sends(b, unanswered+1)
				st.send(b)
				continue
			}
		}
		held := unanswered >= cfg.WriteWindow && w.waiting() > 0
		began := time.Now()
		select {
		case <-w.wake:
		case <-changed:
		case <-st.ended:
		case <-ctx.Done():
			return
		}
		if held {
			w.shard.counts.full.Add(int64(time.Since(began)))
		}
	}
}

// next is the batch to send, nil if there is none, or the news that there are orphans to recover.
func (w *writer) next(maxBytes int) (b *batch, orphans bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.orphans) > 0 {
		w.unanswered = append(w.unanswered, w.orphans...)
		w.orphans = nil
		return nil, true
	}
	b, w.queue = fill(w.queue, maxBytes)
	return b, false
}

// end passes on what the writer has: to the shards that the keys went to, or back to the callers.
func (w *writer) end(ctx context.Context, cause error) {
	w.mu.Lock()
	w.ended = cause
	unanswered, queue := append(w.unanswered, w.orphans...), w.queue
	w.unanswered, w.orphans, w.queue = nil, nil, nil
	w.mu.Unlock()
	for _, x := range unanswered {
		x.crossed = true
		w.passOn(ctx, x, cause, true)
	}
	for _, x := range queue {
		w.passOn(ctx, x, cause, false)
	}
}

func (w *writer) passOn(ctx context.Context, x *write, cause error, orphan bool) {
	if !errors.Is(cause, errGone) {
		x.lose(cause)
		return
	}
	if x.pinned {
		x.settle(outcome{err: cause})
		return
	}
	for {
		heir, err := w.shard.space.shardAt(ctx, x.route)
		if err != nil {
			x.lose(err)
			return
		}
		err = heir.writer.take(x, orphan)
		if err == nil {
			return
		}
		if !errors.Is(err, errGone) {
			x.lose(err)
			return
		}
	}
}
