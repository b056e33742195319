package iotest

import (
	"context"

	"github.com/novastream/nova/io/peer"
)

func peerEndCases() []Case[PeerHarness] {
	return []Case[PeerHarness]{
		{"end/close gives the handle back", casePeerClose},
		{"end/close wakes a receiver", casePeerCloseReceiver},
		{"end/close ends with its context", casePeerCloseContext},
		{"end/a receiver that gives up", casePeerRecvContext},
		{"end/a sender that gives up", casePeerSendContext},
	}
}

// Close returns once the star took what was sent and has the handle back; outcomes that nobody received do not hold it up.
func casePeerClose(h PeerHarness) {
	const batches = 1000
	star := h.listen()
	session, unused := h.open(), h.open()
	for range batches {
		h.send(session, batchOf("x"))
	}
	h.must(session.Close(h.Ctx), "close")
	got := star.Sessions[0]
	if got.Closes != 1 || len(got.Taken) != batches {
		h.fatalf("the star took %d of %d batches, and its handle was given back %d times", len(got.Taken), batches, got.Closes)
	}
	h.must(session.Close(h.Ctx), "close again")
	var err error
	for n := 0; err == nil; n++ {
		if _, err = session.Recv(h.Ctx); n > batches {
			h.fatalf("%d answers to %d batches", n, batches)
		}
	}
	if err := session.Send(h.Ctx, batchOf("y")); err == nil {
		h.fatalf("a closed session took a batch")
	}
	h.must(unused.Close(h.Ctx), "close a session without batches")
	star.gone(2)
}

func casePeerCloseReceiver(h PeerHarness) {
	star := h.listen()
	session := h.open()
	h.together(2, func(ctx context.Context, i int) {
		if i == 0 {
			if ack, err := session.Recv(ctx); err == nil {
				h.fatalf("received %+v, and nothing was sent", ack)
			}
			return
		}
		h.must(h.Run.Sleep(ctx, 0), "let the receiver go first")
		h.must(session.Close(ctx), "close")
	})
	star.gone(1)
}

// undecided opens a session whose one batch the star took and does not answer.
func (h PeerHarness) undecided(star *watched) peer.Session {
	h.T.Helper()
	star.Decide = func(ctx context.Context, _ int) (peer.Ack, error) { return peer.Ack{}, star.hold(ctx) }
	session := h.open()
	h.send(session, batchOf("x"))
	star.until("the star has the batch", func() bool { return len(star.Sessions[0].Taken) == 1 })
	return session
}

func casePeerCloseContext(h PeerHarness) {
	star := h.listen()
	session := h.undecided(star)
	ctx, cancel := h.Run.WithCancel(h.Ctx)
	cancel()
	h.wants(session.Close(ctx), "close in an ended context", context.Canceled)
	star.gone(1)
	_, err := session.Recv(h.Ctx)
	h.wantCode("receive after that", err, peer.Indeterminate)
}

func casePeerRecvContext(h PeerHarness) {
	star := h.listen()
	session := h.undecided(star)
	ctx, cancel := h.Run.WithCancel(h.Ctx)
	h.Run.Go("cancel", func(context.Context) { cancel() })
	_, err := session.Recv(ctx)
	h.wants(err, "receive in a context that ends", context.Canceled)
	h.wantCode("receive in a context that ends", err, peer.Indeterminate)
	star.gone(1)
	_, err = session.Recv(h.Ctx)
	h.wantCode("receive after that", err, peer.Indeterminate)
	h.wantCode("send after that", session.Send(h.Ctx, batchOf("y")), peer.Indeterminate)
	_ = session.Close(h.Ctx) // it may say why the session ended
	star.gone(1)
}

func casePeerSendContext(h PeerHarness) {
	star := h.listen()
	session := h.undecided(star)
	ctx, cancel := h.Run.WithCancel(h.Ctx)
	cancel()
	err := session.Send(ctx, batchOf("y"))
	h.wants(err, "send in an ended context", context.Canceled)
	h.wantCode("send in an ended context", err, peer.Indeterminate)
	star.gone(1)
	_, err = session.Recv(h.Ctx)
	h.wantCode("receive after that", err, peer.Indeterminate)
}
