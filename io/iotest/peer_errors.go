package iotest

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/novastream/nova/io/peer"
)

func peerErrorCases() []Case[PeerHarness] {
	return []Case[PeerHarness]{
		{"error/of a call", casePeerErrors},
		{"error/of an open", casePeerRefusedOpen},
		{"error/of a batch", casePeerRefusedBatch},
		{"error/that ends a session", casePeerStarEnds},
		{"error/of no kind", casePeerForeignError},
		{"error/nobody listens", casePeerNobody},
		{"error/the star dies in a call", casePeerStarDies},
		{"error/the caller's context ends", casePeerCallerEnds},
	}
}

// errorsOfEveryCode are what a star may say: each code with every field, and bare.
func errorsOfEveryCode() []*peer.Error {
	var all []*peer.Error
	for c := peer.Internal; !strings.HasPrefix(c.String(), "code("); c++ {
		all = append(all, &peer.Error{
			Code: c, What: "stream logs/app", Reason: "because", Try: "do that", Holder: "star-7", Addr: "10.0.0.7:7780",
			Token: 1 << 60, Tail: 1 << 61, First: 1 << 62, Wait: 1500 * time.Millisecond,
		}, &peer.Error{Code: c})
	}
	return all
}

// told is an error as a star returns it: with a cause, which does not travel.
func told(e *peer.Error) error {
	sent := *e
	sent.Err = context.Canceled
	return &sent
}

func casePeerErrors(h PeerHarness) {
	star := h.listen()
	for _, want := range errorsOfEveryCode() {
		star.Reply = func(context.Context, Asked) (any, error) { return nil, told(want) }
		_, err := h.Remote.Health(h.Ctx)
		h.wantError(want.Code.String(), err, want)
	}
	for _, c := range peerCalls() {
		want := errorsOfEveryCode()[0]
		star.Reply = func(context.Context, Asked) (any, error) { return nil, told(want) }
		_, err := c.make(h.Ctx, h.Remote)
		h.wantError(c.asked.Call, err, want)
	}
}

func casePeerRefusedOpen(h PeerHarness) {
	star := h.listen()
	for _, want := range errorsOfEveryCode() {
		star.Open = func(context.Context, peer.OpenRequest) (peer.Opened, error) { return peer.Opened{}, told(want) }
		_, err := h.Remote.OpenSession(h.Ctx, peer.OpenRequest{Stream: app()})
		h.wantError(want.Code.String(), err, want)
	}
	star.gone(0)
}

// A refused batch is answered in its place, and the session goes on.
func casePeerRefusedBatch(h PeerHarness) {
	star := h.listen()
	refusals := errorsOfEveryCode()
	star.Decide = func(_ context.Context, n int) (peer.Ack, error) {
		if n%2 == 0 {
			return peer.Ack{First: uint64(n), Next: uint64(n + 1)}, nil
		}
		var refusal *peer.Error
		errors.As(told(refusals[n/2]), &refusal)
		return peer.Ack{Err: refusal}, nil
	}
	session := h.open()
	for n := range 2 * len(refusals) {
		h.send(session, batchOf("x"))
		if n%2 == 0 {
			h.recv(session, uint64(n), uint64(n+1))
			continue
		}
		ack, err := session.Recv(h.Ctx)
		h.must(err, "receive a refusal")
		if ack.Err == nil {
			h.fatalf("refusal %v arrived as %+v", refusals[n/2], ack)
		}
		h.wantError("refusal", ack.Err, refusals[n/2])
	}
	h.must(session.Close(h.Ctx), "close")
	star.gone(1)
}

// The star's word ends the session after what it answered before, and the handle is given back.
func casePeerStarEnds(h PeerHarness) {
	star := h.listen()
	sessions := 0
	for _, want := range errorsOfEveryCode() {
		for _, where := range []string{"taking", "answering"} {
			star.Take, star.Decide = nil, nil
			if where == "taking" {
				star.Take = func(_ context.Context, n int) error {
					if n < 3 {
						return nil
					}
					return told(want)
				}
			} else {
				star.Decide = func(_ context.Context, n int) (peer.Ack, error) {
					if n < 3 {
						return peer.Ack{First: uint64(n), Next: uint64(n + 1)}, nil
					}
					return peer.Ack{}, told(want)
				}
			}
			session := h.open()
			h.send(session, batchOf("0"), batchOf("1"), batchOf("2"), batchOf("3"))
			for n := range uint64(3) {
				h.recv(session, n, n+1)
			}
			_, err := session.Recv(h.Ctx)
			h.wantError(where, err, want)
			h.wantError("again, "+where, session.Send(h.Ctx, batchOf("4")), want)
			h.must(session.Close(h.Ctx), "close what the star ended")
			sessions++
			star.gone(sessions)
		}
	}
}

func casePeerForeignError(h PeerHarness) {
	star := h.listen()
	star.Reply = func(context.Context, Asked) (any, error) { return nil, errors.New("the disk is on fire") }
	_, err := h.Remote.Health(h.Ctx)
	h.wantCode("health", err, peer.Internal)
	if !strings.Contains(err.Error(), "the disk is on fire") {
		h.fatalf("the error does not say why: %v", err)
	}
}

// Where nobody listens nothing was done: the refusal is definite.
func casePeerNobody(h PeerHarness) {
	for _, c := range peerCalls() {
		_, err := c.make(h.Ctx, h.Remote)
		h.wantCode(c.asked.Call, err, peer.Unavailable)
	}
	_, err := h.Remote.OpenSession(h.Ctx, peer.OpenRequest{Stream: app()})
	h.wantCode("open", err, peer.Unavailable)
}

// A call, an open, and a batch are under way when the star dies: each may have happened.
func casePeerStarDies(h PeerHarness) {
	star := h.listen()
	star.Reply = func(ctx context.Context, _ Asked) (any, error) { return nil, star.hold(ctx) }
	star.Decide = func(ctx context.Context, _ int) (peer.Ack, error) { return peer.Ack{}, star.hold(ctx) }
	session, idle := h.open(), h.open()
	h.send(session, batchOf("x"))
	star.Open = func(ctx context.Context, _ peer.OpenRequest) (peer.Opened, error) {
		return peer.Opened{}, star.hold(ctx)
	}
	star.Asked = nil
	victims := []func(ctx context.Context) error{
		func(ctx context.Context) error { _, err := h.Remote.Health(ctx); return err },
		func(ctx context.Context) error { return h.Remote.DeleteStream(ctx, app()) },
		func(ctx context.Context) error {
			_, err := h.Remote.OpenSession(ctx, peer.OpenRequest{Stream: app()})
			return err
		},
		func(ctx context.Context) error { _, err := session.Recv(ctx); return err },
	}
	h.together(len(victims)+1, func(ctx context.Context, i int) {
		if i < len(victims) {
			h.wantCode("the star died in a call", victims[i](ctx), peer.Indeterminate)
			return
		}
		star.until("all calls are at the star", func() bool { return len(star.Asked) == 3 && len(star.Sessions[0].Taken) == 1 })
		h.Kill()
	})
	h.wantCode("send after the star died", session.Send(h.Ctx, batchOf("y")), peer.Indeterminate)
	_, err := idle.Recv(h.Ctx)
	h.wantCode("receive, with nothing unanswered", err, peer.Unavailable, peer.Indeterminate)
	h.wantCode("send, with nothing unanswered", idle.Send(h.Ctx, batchOf("y")), peer.Unavailable, peer.Indeterminate)
}

// The star hears of a caller that gives up, and the caller's error says that it may have been done.
func casePeerCallerEnds(h PeerHarness) {
	star := h.listen()
	star.Reply = func(ctx context.Context, _ Asked) (any, error) { return nil, star.hold(ctx) }
	ctx, cancel := h.Run.WithCancel(h.Ctx)
	defer cancel()
	h.together(2, func(_ context.Context, i int) {
		if i == 0 {
			err := h.Remote.DeleteStream(ctx, app())
			h.wants(err, "cancelled call", context.Canceled)
			h.wantCode("cancelled call", err, peer.Indeterminate)
			return
		}
		star.until("the call is at the star", func() bool { return len(star.Asked) == 1 })
		cancel()
	})
	star.until("the star has heard of it", func() bool { return star.GivenUp == 1 })

	for _, c := range peerCalls() {
		_, err := c.make(ctx, h.Remote)
		h.wants(err, c.asked.Call+" in an ended context", context.Canceled)
	}
	_, err := h.Remote.OpenSession(ctx, peer.OpenRequest{Stream: app()})
	h.wants(err, "open in an ended context", context.Canceled)
	if len(star.Asked) > 1 {
		h.fatalf("the star was asked %+v in an ended context", star.Asked[1:])
	}

	ctx, cancelTimeout := h.Run.WithTimeout(h.Ctx, 20*time.Millisecond)
	defer cancelTimeout()
	err = h.Remote.DeleteStream(ctx, app())
	h.wants(err, "call that times out", context.DeadlineExceeded)
	h.wantCode("call that times out", err, peer.Unavailable, peer.Indeterminate) // it may not have come to the star in time
	if len(star.Asked) > 1 {
		h.wantCode("call that reached the star and times out", err, peer.Indeterminate)
	}
}
