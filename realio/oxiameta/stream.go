package oxiameta

import (
	"context"
	"errors"
	"io"
	"strconv"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// stream is one write stream to one server. Requests go out in order and are answered in order; never half-close it, for
// then the server forgets the answers.
type stream struct {
	server *server
	wire   grpc.BidiStreamingClient[oxiav1.WriteRequest, oxiav1.WriteResponse]
	cancel context.CancelCauseFunc
	ctx    context.Context
	wake   chan<- struct{} // is told of every answer
	ended  chan struct{}   // closed when no more answers come
	watch  func()          // ends the watch for another leader, who ends the stream

	mu       sync.Mutex
	inflight []*batch
}

// errLeft is why this client itself ends a stream.
var errLeft = errors.New("the stream is left")

// toShard says whose write stream a call is.
func toShard(ctx context.Context, shard int64, namespace string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, "shard-id", strconv.FormatInt(shard, 10), "namespace", namespace)
}

// openStream opens a stream. It does not wait for the server.
func openStream(ctx context.Context, s *shard, srv *server, wake chan<- struct{}) (*stream, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	ctx = toShard(ctx, s.id, s.space.namespace)
	wire, err := srv.rpc.WriteStream(ctx)
	if err != nil {
		cancel(err)
		return nil, err
	}
	st := &stream{server: srv, wire: wire, cancel: cancel, ctx: ctx, wake: wake, ended: make(chan struct{})}
	st.watch = s.whileLed(srv.addr, func() { cancel(errLeft) }) // even while a send waits for the server
	return st, nil
}

// send sends a batch. What becomes of it shows in its writes, or in unanswered.
func (st *stream) send(b *batch) {
	st.mu.Lock()
	st.inflight = append(st.inflight, b)
	st.mu.Unlock()
	if err := st.wire.Send(b.req); err != nil && !errors.Is(err, io.EOF) { // after EOF the receiver finds the reason
		st.cancel(err)
	}
}

// unansweredBatches counts them.
func (st *stream) unansweredBatches() int {
	st.mu.Lock()
	defer st.mu.Unlock()
	return len(st.inflight)
}

// receive settles batches as answers come, until the stream ends.
func (st *stream) receive() {
	defer close(st.ended)
	for {
		resp, err := st.wire.Recv()
		if err == nil {
			err = st.answered(resp)
		}
		if err != nil {
			st.cancel(err)
			return
		}
		signal(st.wake)
	}
}

func (st *stream) answered(resp *oxiav1.WriteResponse) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if len(st.inflight) == 0 {
		return errAnswer
	}
	b := st.inflight[0]
	if err := b.answer(resp, st.server); err != nil {
		return err
	}
	st.inflight = st.inflight[1:]
	return nil
}

// alive says whether answers may still come.
func (st *stream) alive() bool {
	select {
	case <-st.ended:
		return false
	default:
		return true
	}
}

// leave ends the stream, if it has not ended, and gives what is unanswered, in order, with the reason of the end: nil if the
// reason is this side's.
func (st *stream) leave() (writes []*write, err error) {
	st.watch()
	st.cancel(errLeft)
	<-st.ended
	for _, b := range st.inflight {
		writes = append(writes, b.writes...)
	}
	if cause := context.Cause(st.ctx); !errors.Is(cause, errLeft) {
		err = cause
	}
	return writes, err
}

// signal wakes whoever waits on a channel of capacity one.
func signal(wake chan<- struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}
