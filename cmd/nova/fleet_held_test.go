package main_test

import (
	"context"
	"fmt"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
)

// held is a session at one star, and an append on it whose outcome is awaited.
type held struct {
	f       *fleet
	r       *recorder
	w       *worker
	session peer.Session
	done    chan history.Complete
}

// hold opens a session at a star and appends once.
func (f *fleet) hold(r *recorder, stream peer.StreamName, at *member) *held {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.Context(), patience)
	defer cancel()
	session, err := f.connect(at.addr).Direct(at.addr).OpenSession(ctx, peer.OpenRequest{Stream: stream})
	if err != nil {
		f.Fatalf("open %v at the star at %s that leads it: %v", stream, at.addr, err)
	}
	h := &held{f: f, r: r, session: session, done: make(chan history.Complete, 1)}
	h.w = &worker{t: f.T, r: r, by: r.client(), stream: stream, session: session}
	if err := h.w.append(ctx, 0); err != nil {
		f.Fatalf("append to %v at the star at %s that leads it: %v", stream, at.addr, err)
	}
	return h
}

// send sends one more batch, and does not wait for what becomes of it.
func (h *held) send() {
	batch := peer.Batch{Records: []peer.Record{{Body: fmt.Appendf(nil, "held by client %d", h.w.by.ID())}}}
	go func() {
		h.done <- h.r.do(h.w.by, record.Append(h.w.stream, batch, h.session.Opened().Token), func() (history.Complete, error) {
			ack, err := exchange(h.f.Context(), h.session, batch)
			if err == nil {
				h.r.keep(h.w.stream.String(), ack.First, batch.Records)
			}
			return record.Acked(ack), err
		})
	}()
}

// wantNoAck waits for the outcome, which must be no acknowledgement.
func (h *held) wantNoAck() {
	h.f.Helper()
	select {
	case c := <-h.done:
		if c.Outcome == history.OK {
			h.f.Errorf("a star that had lost %v acknowledged an append at %d", h.w.stream, c.First)
		}
	case <-time.After(2 * patience):
		h.f.Errorf("a star that had lost %v says nothing of an append", h.w.stream)
	}
}

// tailLater asks a star for the tail; the answer comes when it may.
func (f *fleet) tailLater(r *recorder, stream peer.StreamName, at *member) <-chan history.Complete {
	by := r.client()
	star, done := f.connect(at.addr).Direct(at.addr), make(chan history.Complete, 1)
	ctx, cancel := context.WithTimeout(f.Context(), patience)
	f.Cleanup(cancel)
	go func() {
		done <- r.do(by, record.Tail(stream), func() (history.Complete, error) {
			tail, err := star.Tail(ctx, stream)
			return record.Told(tail.Next), err
		})
	}()
	return done
}
