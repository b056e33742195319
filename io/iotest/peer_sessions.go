package iotest

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/novastream/nova/io/peer"
)

func peerSessionCases() []Case[PeerHarness] {
	return []Case[PeerHarness]{
		{"session/carries every field", casePeerBatchFields},
		{"session/pipelined and in order", casePeerPipelined},
		{"session/the window holds the sender", casePeerWindow},
		{"session/the sender goes on with the window", casePeerWindowOpens},
		{"session/a held session holds no other", casePeerHeldApart},
		{"session/outlives the open's context", casePeerOpenContext},
	}
}

func casePeerBatchFields(h PeerHarness) {
	star := h.listen()
	star.Decide = func(_ context.Context, n int) (peer.Ack, error) {
		return peer.Ack{First: 1<<60 + uint64(n), Next: 1<<61 + uint64(n)}, nil
	}
	session := h.open()
	match := uint64(1 << 50)
	batches := []peer.Batch{
		{
			Records: []peer.Record{
				{Body: pattern(70_000, 3), Headers: []peer.Header{{Name: []byte("n\xff"), Value: []byte("\x00")}, {Name: []byte("m"), Value: []byte("w")}}},
				{Body: []byte("\xff\x00")},
			},
		},
		{Records: []peer.Record{{Body: pattern(1<<20, 5)}}, MatchSeq: &match},
		{Records: []peer.Record{{Body: []byte("0")}}, MatchSeq: new(uint64)},
	}
	for n, want := range batches {
		h.send(session, want)
		h.recv(session, 1<<60+uint64(n), 1<<61+uint64(n))
		if got := star.Sessions[0].Taken[n]; !reflect.DeepEqual(got, want) {
			h.fatalf("batch %d arrived as %d records %.200q, match %v", n, len(got.Records), fmt.Sprint(got.Records), got.MatchSeq)
		}
	}
	h.send(session, peer.Batch{Records: []peer.Record{{}, {Body: []byte{}}}})
	h.recv(session, 1<<60+3, 1<<61+3)
	empty := star.Sessions[0].Taken[3]
	if len(empty.Records) != 2 || len(empty.Records[0].Body)+len(empty.Records[1].Body) != 0 || empty.MatchSeq != nil {
		h.fatalf("two empty records arrived as %+v", empty)
	}
}

// The star decides nothing before it has all batches: none waits for the answer of another.
func casePeerPipelined(h PeerHarness) {
	const batches = 200
	star := h.listen()
	star.Decide = func(ctx context.Context, n int) (peer.Ack, error) {
		err := star.Until(ctx, func() bool { return len(star.Sessions[0].Taken) == batches })
		return peer.Ack{First: 2 * uint64(n), Next: 2*uint64(n) + 2}, err
	}
	session := h.open()
	for n := range batches {
		h.send(session, batchOf(fmt.Sprint("a", n), fmt.Sprint("b", n)))
	}
	for n := range uint64(batches) {
		h.recv(session, 2*n, 2*n+2)
		if body := star.Sessions[0].Taken[n].Records[1].Body; string(body) != fmt.Sprint("b", n) {
			h.fatalf("batch %d arrived as %q", n, body)
		}
	}
	h.must(session.Close(h.Ctx), "close")
	star.gone(1)
}

// windowBatch is a batch that fills windows fast.
func windowBatch() peer.Batch {
	return peer.Batch{Records: []peer.Record{{Body: make([]byte, 128<<10)}}}
}

// A star that takes nothing holds its sender, who gives up in the end.
func casePeerWindow(h PeerHarness) {
	star := h.listen()
	star.Take = func(ctx context.Context, _ int) error { return star.hold(ctx) }
	session := h.open()
	ctx, cancel := h.Run.WithTimeout(h.Ctx, 50*time.Millisecond)
	defer cancel()
	batch, sent := windowBatch(), 0
	err := session.Send(ctx, batch)
	for ; err == nil; err = session.Send(ctx, batch) {
		sent += len(batch.Records[0].Body)
		if sent > h.WindowBytes {
			h.fatalf("a sender sent %d bytes and the star took nothing, over a window of %d", sent, h.WindowBytes)
		}
	}
	h.wants(err, "send into a full window", context.DeadlineExceeded)
	h.wantCode("send into a full window", err, peer.Indeterminate)
	star.gone(1)
	if taken := len(star.Sessions[0].Taken); taken > 0 {
		h.fatalf("the star took %d batches", taken)
	}
}

func casePeerWindowOpens(h PeerHarness) {
	star := h.listen()
	open := false
	star.Take = func(ctx context.Context, _ int) error { return star.Until(ctx, func() bool { return open }) }
	session := h.open()
	batches := 3 * h.WindowBytes / (128 << 10)
	batch, sent := windowBatch(), 0
	h.together(3, func(ctx context.Context, i int) {
		switch i {
		case 0:
			for ; sent < batches; sent++ {
				h.must(session.Send(ctx, batch), "send batch %d of %d", sent, batches)
				star.Changed()
			}
		case 1:
			for n := range uint64(batches) {
				h.recv(session, n, n+1)
			}
		default:
			star.until("the first batches are sent", func() bool { return sent > 1 })
			open = true
			star.Changed()
		}
	})
	if sent != batches || len(star.Sessions[0].Taken) != batches {
		h.fatalf("%d of %d batches were sent and %d taken", sent, batches, len(star.Sessions[0].Taken))
	}
}

// One session's full window is that session's alone.
func casePeerHeldApart(h PeerHarness) {
	star := h.listen()
	star.Take = func(ctx context.Context, _ int) error { return star.hold(ctx) }
	held := h.open()
	star.Take = nil
	free := h.open()
	life, end := h.Run.WithCancel(h.Ctx)
	batch, sent := windowBatch(), 0
	h.together(2, func(_ context.Context, i int) {
		if i == 0 {
			for sent < 4*h.WindowBytes && held.Send(life, batch) == nil {
				sent += len(batch.Records[0].Body)
				star.Changed()
			}
			return
		}
		defer end()
		star.until("batches of the held session are sent", func() bool { return sent > 0 })
		for n := range uint64(10) {
			h.send(free, batchOf("x"))
			h.recv(free, n, n+1)
		}
	})
	h.must(free.Close(h.Ctx), "close")
	star.gone(2)
}

func casePeerOpenContext(h PeerHarness) {
	star := h.listen()
	ctx, cancel := h.Run.WithCancel(h.Ctx)
	session, err := h.Remote.OpenSession(ctx, peer.OpenRequest{Stream: app()})
	h.must(err, "open")
	cancel()
	h.send(session, batchOf("x"))
	h.recv(session, 0, 1)
	h.must(session.Close(h.Ctx), "close")

	star.Open = func(ctx context.Context, _ peer.OpenRequest) (peer.Opened, error) {
		return peer.Opened{}, star.hold(ctx)
	}
	star.Asked, star.GivenUp = nil, 0
	ctx, cancel = h.Run.WithCancel(h.Ctx)
	defer cancel()
	h.together(2, func(_ context.Context, i int) {
		if i == 0 {
			_, err := h.Remote.OpenSession(ctx, peer.OpenRequest{Stream: app()})
			h.wants(err, "cancelled open", context.Canceled)
			h.wantCode("cancelled open", err, peer.Indeterminate)
			return
		}
		star.until("the open is at the star", func() bool { return len(star.Asked) == 1 })
		cancel()
	})
	star.until("the star has heard of it", func() bool { return star.GivenUp == 1 })
	star.gone(1)
}
