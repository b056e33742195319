package iotest

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/io/run"
)

// patience is how long a case waits for what must come.
const patience = time.Minute

// PeerHarness is what a case of carried calls is given. The caller runs on Harness.Run.
type PeerHarness struct {
	Harness
	// Home is the runtime that the star is served on. The case looks at the star from the caller's side: one baton must
	// guard both.
	Home run.Runtime
	// Listen serves the star at the address that Remote goes to. Nobody listens there before.
	Listen func(star peer.Star)
	Remote peer.Star
	// Kill ends the star's process, with all that it has under way. Nobody listens after it.
	Kill func()
	// WindowBytes is the most that a session takes from its sender while the star takes nothing.
	WindowBytes int
}

// Peer is the suite of package peer: what carries a call to a star and the answer back.
func Peer() []Case[PeerHarness] {
	return slices.Concat(peerCallCases(), peerErrorCases(), peerSessionCases(), peerEndCases())
}

// listen serves a scripted star. The caller waits for what happens there with until.
func (h PeerHarness) listen() *watched {
	w := &watched{h: h, seen: h.Run.NewSignal()}
	w.ScriptedStar = NewScriptedStar(h.Home, w.seen.Broadcast)
	h.Listen(w.ScriptedStar)
	return w
}

// watched is a scripted star as its caller sees it.
type watched struct {
	*ScriptedStar
	h    PeerHarness
	seen run.Signal
}

// until waits on the caller's side until something holds, which must be soon.
func (w *watched) until(what string, holds func() bool) {
	w.h.T.Helper()
	ctx, cancel := w.h.Run.WithTimeout(w.h.Ctx, patience)
	defer cancel()
	for !holds() {
		w.h.must(w.seen.Wait(ctx), "wait until %s", what)
	}
}

// gone waits until every session's handle was given back, once each, and so many of them were opened.
func (w *watched) gone(opened int) {
	w.h.T.Helper()
	w.until("the star has its handles back", func() bool {
		return !slices.ContainsFunc(w.Sessions, func(s *ScriptedSession) bool { return s.Closes == 0 })
	})
	for i, s := range w.Sessions {
		if s.Closes != 1 {
			w.h.fatalf("the handle of session %d was given back %d times", i, s.Closes)
		}
	}
	if len(w.Sessions) != opened {
		w.h.fatalf("%d sessions were opened, want %d", len(w.Sessions), opened)
	}
}

// hold is a wait of the star for as long as its caller is there.
func (w *watched) hold(ctx context.Context) error {
	return w.Until(ctx, func() bool { return false })
}

// app is the stream that cases speak of.
func app() peer.StreamName { return peer.StreamName{Bucket: "logs", Key: "app"} }

// open opens a session and must succeed.
func (h PeerHarness) open() peer.Session {
	h.T.Helper()
	session, err := h.Remote.OpenSession(h.Ctx, peer.OpenRequest{Stream: app()})
	h.must(err, "open a session")
	return session
}

// batchOf is a batch of one record for each body.
func batchOf(bodies ...string) peer.Batch {
	var batch peer.Batch
	for _, body := range bodies {
		batch.Records = append(batch.Records, peer.Record{Body: []byte(body)})
	}
	return batch
}

func (h PeerHarness) send(s peer.Session, batches ...peer.Batch) {
	h.T.Helper()
	for i, b := range batches {
		h.must(s.Send(h.Ctx, b), "send batch %d", i)
	}
}

// recv receives one answer that is no refusal.
func (h PeerHarness) recv(s peer.Session, first, next uint64) {
	h.T.Helper()
	ack, err := s.Recv(h.Ctx)
	h.must(err, "receive")
	if ack != (peer.Ack{First: first, Next: next}) {
		h.fatalf("the answer is %+v, %v, want %d to %d", ack, ack.Err, first, next)
	}
}

// wantError compares an error with what the star said.
func (h PeerHarness) wantError(what string, err error, want *peer.Error) {
	h.T.Helper()
	var got *peer.Error
	if !errors.As(err, &got) || *got != *want {
		h.fatalf("%s: got error %#v, want %#v", what, err, want)
	}
}

// wantCode compares an error's code.
func (h PeerHarness) wantCode(what string, err error, codes ...peer.Code) {
	h.T.Helper()
	if !slices.ContainsFunc(codes, func(c peer.Code) bool { return peer.Is(err, c) }) {
		h.fatalf("%s: got error %v, want one of %v", what, err, codes)
	}
}
