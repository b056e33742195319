package oxiameta

import (
	"context"
	"fmt"
	"time"
)

// open opens a stream that has acknowledged a write without effect.
func (w *writer) open(ctx context.Context, t turn) (*stream, error) {
	st, err := openStream(ctx, w.shard, t.server, w.wake)
	if err != nil {
		return nil, err
	}
	if !w.shard.space.client.start(func(context.Context) { st.receive() }) {
		st.watch()
		st.cancel(errClosed)
		return nil, errClosed
	}
	proof := newWrite(&write{})
	b, _ := fill([]*write{proof}, 0)
	st.send(b)
	err = w.await(proof, st)
	if err == nil {
		return st, nil
	}
	if _, cause := st.leave(); cause != nil {
		err = cause
	}
	return nil, err
}

// await waits for the acknowledgement of the first write of a stream, as long as its server is the one to ask.
func (w *writer) await(proof *write, st *stream) error {
	timer := time.NewTimer(attemptTimeout)
	defer timer.Stop()
	for {
		changed, err := w.elsewhere(st)
		if err != nil {
			return err
		}
		select {
		case o := <-proof.done:
			return o.err
		case <-st.ended:
			return errLeft // unless the stream knows better
		case <-changed:
		case <-timer.C:
			return fmt.Errorf("a write stream is not answered within %v: %w", attemptTimeout, errSilent)
		}
	}
}

// elsewhere is an error if the shard is gone or another server is to be asked; changed closes when that may be otherwise.
func (w *writer) elsewhere(st *stream) (changed <-chan struct{}, err error) {
	addr, changed, err := w.shard.current()
	if err == nil && addr != "" && bare(addr) != st.server.addr {
		err = errLeft
	}
	return changed, err
}
