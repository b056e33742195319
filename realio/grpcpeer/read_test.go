package grpcpeer

import (
	"context"
	"errors"
	"io"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

// log is a star with a stream of records of 10 bytes each, that gives at most 4 of them at once.
type log struct {
	peer.Star
	tail uint64

	mu    sync.Mutex
	asked []peer.FetchRequest // under mu: a following read goes on asking
}

func (l *log) request(n int) peer.FetchRequest {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked[n]
}

func (l *log) Fetch(_ context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
	l.mu.Lock()
	l.asked = append(l.asked, q)
	l.mu.Unlock()
	reply := peer.FetchReply{Next: q.From}
	most := min(4, q.MaxCount, max(1, q.MaxBytes/10))
	for reply.Next < l.tail && len(reply.Records) < most {
		reply.Records = append(reply.Records, peer.Record{Seq: reply.Next, Body: []byte("0123456789")})
		reply.Next++
	}
	reply.AtTail = reply.Next == l.tail
	return reply, nil
}

func read(t *testing.T, w *world, request *novav1.ReadRequest) (seqs []uint64, last *novav1.ReadResponse) {
	t.Helper()
	request.Stream = wireName(app)
	stream, err := novav1.NewDataServiceClient(w.raw).Read(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return seqs, last
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range response.GetRecords() {
			seqs = append(seqs, r.GetSeq())
		}
		last = response
	}
}

func TestAReadEndsWhereItIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		request *novav1.ReadRequest
		want    []uint64
	}{
		"at the tail":           {&novav1.ReadRequest{}, []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		"at the tail from 7":    {&novav1.ReadRequest{From: 7}, []uint64{7, 8, 9}},
		"at the tail at once":   {&novav1.ReadRequest{From: 10}, nil},
		"after 6 records":       {&novav1.ReadRequest{LimitCount: 6}, []uint64{0, 1, 2, 3, 4, 5}},
		"after 4 records":       {&novav1.ReadRequest{LimitCount: 4}, []uint64{0, 1, 2, 3}},
		"after 50 bytes":        {&novav1.ReadRequest{LimitBytes: 50}, []uint64{0, 1, 2, 3, 4}},
		"after 1 byte":          {&novav1.ReadRequest{LimitBytes: 1}, []uint64{0}},
		"following, after 6":    {&novav1.ReadRequest{LimitCount: 6, Follow: true}, []uint64{0, 1, 2, 3, 4, 5}},
		"after more than it is": {&novav1.ReadRequest{LimitCount: 60}, []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, &log{tail: 10})
			got, last := read(t, w, c.request)
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if want := c.request.GetFrom() + uint64(len(c.want)); last.GetNext() != want {
				t.Errorf("next %d, want %d", last.GetNext(), want)
			}
		})
	}
}

func TestAFollowingReadBeats(t *testing.T) {
	star := &log{tail: 2}
	w := newWorld(t, star)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream, err := novav1.NewDataServiceClient(w.raw).Read(ctx, &novav1.ReadRequest{
		Stream: wireName(app), Follow: true, Heartbeat: durationpb.New(time.Second), Linearizable: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{2, 0, 0} {
		response, err := stream.Recv()
		if err != nil || len(response.GetRecords()) != want || !response.GetAtTail() || response.GetNext() != 2 {
			t.Fatalf("message %d: %v, %v", i, response, err)
		}
	}
	if q := star.request(1); q.Wait != time.Second || !q.Linearizable || q.From != 2 {
		t.Errorf("the star was asked %+v", q)
	}
}

func TestHeartbeatsAreBounded(t *testing.T) {
	for asked, want := range map[time.Duration]time.Duration{
		0: heartbeat, -1: heartbeat, 1: minHeartbeat, time.Second: time.Second, time.Hour: maxFetchWait,
	} {
		if got := heartbeatOf(asked); got != want {
			t.Errorf("heartbeat %v becomes %v, want %v", asked, got, want)
		}
	}
}

func TestAReaderThatNeverReadsHoldsOneRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fetches atomic.Int64
		ended := make(chan struct{})
		w := newWorld(t, &fakeStar{fetch: func(ctx context.Context, q peer.FetchRequest) (peer.FetchReply, error) {
			if fetches.Add(1) == 1 {
				context.AfterFunc(ctx, func() { close(ended) })
			}
			return peer.FetchReply{Records: []peer.Record{{Seq: q.From, Body: make([]byte, q.MaxBytes)}}, Next: q.From + 1}, nil
		}})
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := novav1.NewDataServiceClient(w.raw).Read(ctx, &novav1.ReadRequest{Stream: wireName(app)}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := fetches.Load(); got > 2 {
			t.Errorf("a reader that never reads made %d fetches", got)
		}
		cancel()
		<-ended
	})
}

func TestAReadThatFailsSaysWhy(t *testing.T) {
	w := newWorld(t, &fakeStar{fetch: func(context.Context, peer.FetchRequest) (peer.FetchReply, error) {
		return peer.FetchReply{}, fullError(peer.Trimmed)
	}})
	stream, err := novav1.NewDataServiceClient(w.raw).Read(t.Context(), &novav1.ReadRequest{Stream: wireName(app)})
	if err == nil {
		_, err = stream.Recv()
	}
	details := status.Convert(err).Details()
	if len(details) == 0 || !reflect.DeepEqual(errorOf(details[0].(*novav1.ErrorDetail)), fullError(peer.Trimmed)) {
		t.Errorf("got %v, details %v", err, details)
	}
}
