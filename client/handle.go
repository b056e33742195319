package client

import (
	"context"
	"sync/atomic"

	"github.com/novastream/nova/io/peer"
)

// turn lets one goroutine at a time do something.
type turn chan struct{}

func newTurn() turn { return make(turn, 1) }

// take waits for the turn; the error is that of ctx.
func (t turn) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turn) giveBack() { <-t }

// handle is a session that many goroutines may share: one sends and one receives at a time. Once it is closed, or its client
// is, it says so.
type handle struct {
	peer.Session
	stream       peer.StreamName
	client       *life // of its client; nil where it has none
	sends, recvs turn
	closed       atomic.Bool
}

// newHandle makes a session that is not one yet a handle.
func newHandle(s peer.Session, stream peer.StreamName, client *life) *handle {
	if h, ok := s.(*handle); ok {
		return h
	}
	return &handle{Session: s, stream: stream, client: client, sends: newTurn(), recvs: newTurn()}
}

// Send hands over one batch.
func (h *handle) Send(ctx context.Context, batch peer.Batch) error {
	if err := h.sends.take(ctx); err != nil {
		return notSent(h.stream, err)
	}
	defer h.sends.giveBack()
	return h.send(ctx, batch)
}

// send is Send of whose turn it is.
func (h *handle) send(ctx context.Context, batch peer.Batch) error {
	if h.gone() {
		return h.ended(peer.Invalid, "open another")
	}
	ctx, cancel := h.client.within(ctx)
	defer cancel()
	err := h.Session.Send(ctx, batch)
	if err != nil && h.gone() {
		return h.ended(peer.Indeterminate, "send before closing")
	}
	return err
}

// Recv waits for the oldest outcome.
func (h *handle) Recv(ctx context.Context) (peer.Ack, error) {
	if err := h.recvs.take(ctx); err != nil {
		return peer.Ack{}, err
	}
	defer h.recvs.giveBack()
	return h.recv(ctx)
}

// recv is Recv of whose turn it is.
func (h *handle) recv(ctx context.Context) (peer.Ack, error) {
	if h.gone() {
		return peer.Ack{}, h.ended(peer.Indeterminate, "receive every outcome before closing")
	}
	ctx, cancel := h.client.within(ctx)
	defer cancel()
	ack, err := h.Session.Recv(ctx)
	if err != nil && h.gone() {
		return ack, h.ended(peer.Indeterminate, "receive every outcome before closing")
	}
	return ack, err
}

// Close gives the session back. Any other call of it, before or after, ends.
func (h *handle) Close(ctx context.Context) error {
	if h.closed.Swap(true) || h.client.over() {
		return nil
	}
	return h.Session.Close(ctx)
}

// gone says whether nothing can come of the session any more.
func (h *handle) gone() bool { return h.closed.Load() || h.client.over() }

// ended says that the session is closed, or its client is.
func (h *handle) ended(code peer.Code, try string) error {
	e := &peer.Error{Code: code, What: "session of stream " + h.stream.String(), Reason: sessionClosed, Try: try}
	if h.client.over() {
		e.Reason = clientClosed
	}
	return e
}

// notSent is a batch that never left.
func notSent(stream peer.StreamName, cause error) error {
	return &peer.Error{
		Code: peer.NotAppended, What: "stream " + stream.String(), Reason: "it was not sent: others were sending until then",
		Try: "send it again", Err: cause,
	}
}
