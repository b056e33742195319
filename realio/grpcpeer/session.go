package grpcpeer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

// session is a producer session at the client. A goroutine takes answers off the wire for as long as it lives.
type session struct {
	addr   string
	stream novav1.DataService_AppendClient
	cancel context.CancelFunc // ends the call and with it the session at the star
	opened peer.Opened

	acks   chan peer.Ack // off the wire, in order
	closed chan struct{} // Close was called: answers are dropped
	ended  chan struct{} // the call ended; cause says why
	cause  error

	sending sync.Mutex // over what is sent on the call: it takes one sender at a time

	mu       sync.Mutex
	sent     uint64                 // batches given to Send
	answered uint64                 // of them answered to the caller
	refused  map[uint64]*peer.Error // by position among those sent: batches too large to travel
	wake     chan struct{}          // told when refused grows
}

var _ peer.Session = (*session)(nil)

// OpenSession opens the session on a context of its own: ctx bounds the open alone.
func (r *remote) OpenSession(ctx context.Context, q peer.OpenRequest) (peer.Session, error) {
	if err := checkTexts(q.Stream.Bucket, q.Stream.Key); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, failure(ctx, err, r.addr, false)
	}
	life, cancel := context.WithCancel(context.Background())
	release := guard(ctx, cancel)
	stream, err := r.data.Append(life)
	if err != nil {
		cancel()
		return nil, failure(ctx, err, r.addr, false)
	}
	opened, err := open(stream, q)
	if !release() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		cancel()
		return nil, failure(ctx, err, r.addr, true)
	}
	s := &session{
		addr: r.addr, stream: stream, cancel: cancel, opened: openedOf(opened), acks: make(chan peer.Ack, 64),
		closed: make(chan struct{}), ended: make(chan struct{}), refused: map[uint64]*peer.Error{}, wake: make(chan struct{}, 1),
	}
	go s.listen()
	return s, nil
}

// guard ends the call with ctx. release lifts it, and says whether it came in time.
func guard(ctx context.Context, cancel context.CancelFunc) (release func() bool) {
	if ctx.Done() == nil {
		return func() bool { return true }
	}
	return context.AfterFunc(ctx, cancel)
}

func open(stream novav1.DataService_AppendClient, q peer.OpenRequest) (*novav1.Opened, error) {
	request := &novav1.Open{Stream: wireName(q.Stream), Create: q.Create, Token: q.Token}
	err := stream.Send(&novav1.AppendRequest{Request: &novav1.AppendRequest_Open{Open: request}})
	if err != nil && !errors.Is(err, io.EOF) { // after EOF, Recv has the reason
		return nil, err
	}
	response, err := stream.Recv()
	if err != nil {
		return nil, err
	}
	if response.GetOpened() == nil {
		return nil, errors.New("it answered an open with something else")
	}
	return response.GetOpened(), nil
}

func (s *session) Opened() peer.Opened { return s.opened }

func (s *session) Send(ctx context.Context, batch peer.Batch) error {
	request := &novav1.AppendRequest{Request: &novav1.AppendRequest_Batch{Batch: wireBatch(batch)}}
	select {
	case <-s.ended:
		return s.failure(ctx)
	default:
	}
	if size := proto.Size(request); size > MaxMessageBytes {
		s.refuse(size)
		return nil
	}
	release := guard(ctx, s.cancel)
	taken := s.give(request)
	if inTime := release(); taken && inTime {
		return nil
	}
	return s.abort(ctx)
}

// give sends a batch on the call, unless the session is closed, and says whether the call took it.
func (s *session) give(request *novav1.AppendRequest) bool {
	s.sending.Lock()
	defer s.sending.Unlock()
	select {
	case <-s.closed:
		return false
	default:
	}
	s.mu.Lock()
	s.sent++
	s.mu.Unlock()
	return s.stream.Send(request) == nil
}

// refuse answers a batch that cannot travel, in its place among the answers.
func (s *session) refuse(size int) {
	s.mu.Lock()
	s.refused[s.sent] = &peer.Error{
		Code: peer.TooLarge, What: "batch", Reason: fmt.Sprintf("it takes %d bytes; at most %d travel", size, MaxMessageBytes),
		Try: "append fewer records at once",
	}
	s.sent++
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *session) Recv(ctx context.Context) (peer.Ack, error) {
	for {
		if e := s.takeRefused(); e != nil {
			return peer.Ack{Err: e}, nil
		}
		select {
		case ack := <-s.acks:
			return s.answer(ack), nil
		case <-s.wake:
		case <-ctx.Done():
			return peer.Ack{}, s.abort(ctx)
		case <-s.ended:
			select { // what was answered before the end comes first
			case ack := <-s.acks:
				return s.answer(ack), nil
			default:
				return peer.Ack{}, s.failure(ctx)
			}
		}
	}
}

// takeRefused is the next answer, if it is a refusal of this side.
func (s *session) takeRefused() *peer.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.refused[s.answered]
	if e != nil {
		delete(s.refused, s.answered)
		s.answered++
	}
	return e
}

func (s *session) answer(ack peer.Ack) peer.Ack {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answered++
	return ack
}

// Close gives the session back. Beside a Send, which nobody waits for any more, it ends the call.
func (s *session) Close(ctx context.Context) error {
	select {
	case <-s.closed:
	default:
		close(s.closed)
	}
	defer s.cancel()
	if s.sending.TryLock() {
		_ = s.stream.CloseSend() // it fails only where the call has ended already
		s.sending.Unlock()
	} else {
		s.cancel()
	}
	select {
	case <-s.ended:
		return nil
	case <-ctx.Done():
		return failure(ctx, ctx.Err(), s.addr, true)
	}
}

// listen takes answers off the wire until the call ends. Behind one that was dropped every other is: the caller tells by
// its place alone which batch an answer is for.
func (s *session) listen() {
	defer close(s.ended)
	for wanted := true; ; {
		response, err := s.stream.Recv()
		if err != nil {
			s.cause = err
			return
		}
		if !wanted {
			continue
		}
		select {
		case s.acks <- ackOf(response.GetAck()):
		case <-s.closed:
			wanted = false
		case <-s.stream.Context().Done():
			wanted = false
		}
	}
}

// abort ends the session, because ctx ended or a send failed, and says why.
func (s *session) abort(ctx context.Context) error {
	s.cancel()
	<-s.ended
	return s.failure(ctx)
}

// failure is why the session ended. It is definite only where it holds for every batch that the caller has no answer to:
// those that left and those whose answer arrived and was not received.
func (s *session) failure(ctx context.Context) *peer.Error {
	s.mu.Lock()
	unanswered := s.sent > s.answered+uint64(len(s.refused))
	s.mu.Unlock()
	cause := s.cause
	if errors.Is(cause, io.EOF) {
		cause = errors.New("it closed the session")
	}
	e := failure(ctx, cause, s.addr, unanswered)
	if len(s.acks) > 0 {
		e.Code = peer.Indeterminate
	}
	return e
}
