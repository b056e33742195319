package grpcpeer

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

// Append is one producer session. Two goroutines carry it: one takes batches off the wire and hands them to the star, the
// other takes the star's answers back. While the star holds the first (its window is full), nothing is taken off the wire,
// and gRPC's own flow control holds the client.
func (s *dataService) Append(stream novav1.DataService_AppendServer) error {
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	if first.GetOpen() == nil {
		return statusOf(&peer.Error{Code: peer.Invalid, What: "append session", Reason: "its first request must be an open"})
	}
	ctx, cancel := context.WithCancel(stream.Context())
	defer cancel()
	open := first.GetOpen()
	session, err := s.star.OpenSession(ctx, peer.OpenRequest{
		Stream: nameOf(open.GetStream()), Create: open.GetCreate(), Token: open.GetToken(),
	})
	if err != nil {
		return statusOf(err)
	}
	a := &appending{stream: stream, session: session, sent: make(chan struct{}, maxUnanswered)}
	defer a.close(cancel)
	opened := &novav1.AppendResponse_Opened{Opened: wireOpened(session.Opened())}
	if err := stream.Send(&novav1.AppendResponse{Response: opened}); err != nil {
		return err
	}
	go a.take(ctx)
	return statusOf(a.answer(ctx))
}

// appending is an append session at the server.
type appending struct {
	stream  novav1.DataService_AppendServer
	session peer.Session
	sent    chan struct{} // one for each batch the star took; closed after the last
	failed  error         // why taking ended; read after sent is closed

	sending sync.Mutex // held while a batch is handed to the star
	closed  bool       // under sending: the handle is given back
}

// take hands batches to the star in the order they arrive, until the client half-closes or something fails.
func (a *appending) take(ctx context.Context) {
	defer close(a.sent)
	for {
		request, err := a.stream.Recv()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				a.failed = err
			}
			return
		}
		if request.GetBatch() == nil {
			a.failed = &peer.Error{Code: peer.Invalid, What: "append session", Reason: "a request after the first must be a batch"}
			return
		}
		if a.failed = a.send(ctx, batchOf(request.GetBatch())); a.failed != nil {
			return
		}
		select {
		case a.sent <- struct{}{}:
		case <-ctx.Done():
			return
		}
	}
}

func (a *appending) send(ctx context.Context, batch peer.Batch) error {
	a.sending.Lock()
	defer a.sending.Unlock()
	if a.closed {
		return context.Canceled
	}
	return a.session.Send(ctx, batch)
}

// answer sends the star's answers back, one for each batch it took.
func (a *appending) answer(ctx context.Context) error {
	for range a.sent {
		ack, err := a.session.Recv(ctx)
		if err != nil {
			return err
		}
		if err := a.stream.Send(&novav1.AppendResponse{Response: &novav1.AppendResponse_Ack{Ack: wireAck(ack)}}); err != nil {
			return err
		}
	}
	return a.failed
}

// close gives the handle back once nobody is sending on it. The client may be gone: it runs on a time of its own.
func (a *appending) close(cancel context.CancelFunc) {
	cancel()
	a.sending.Lock()
	a.closed = true
	a.sending.Unlock()
	ctx, done := context.WithTimeout(context.WithoutCancel(a.stream.Context()), closeTimeout)
	defer done()
	// Nothing is left to tell: the star ends a handle that cannot be closed with the leadership it is on.
	_ = a.session.Close(ctx)
}
