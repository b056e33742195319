package oxiatest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

const (
	// maxInFlight is how many requests of one stream a server takes before it answers.
	maxInFlight = 1024
	// maxLogEntry is the size of a request from which on the log of a real server is stuck.
	maxLogEntry = 64 << 20
)

// writeStream is one WriteStream call.
type writeStream struct {
	node  *node
	shard *shard
	ended chan struct{}
	once  sync.Once
	err   error // why it ended, once it did
}

// close ends the stream with this error; the first one counts.
func (w *writeStream) close(err error) {
	w.once.Do(func() {
		w.err = err
		close(w.ended)
	})
}

// WriteStream answers requests in order. It ends at once, with what is unanswered lost, at the client's half-close, at an
// error, and when the leader goes.
func (n *node) WriteStream(stream grpc.BidiStreamingServer[oxiav1.WriteRequest, oxiav1.WriteResponse]) error {
	s, err := n.shardOf(stream.Context())
	if err != nil {
		return err
	}
	w := &writeStream{node: n, shard: s, ended: make(chan struct{})}
	s.mu.Lock()
	s.streams[w] = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.streams, w)
	}()
	answers := make(chan *oxiav1.WriteResponse, maxInFlight)
	n.cluster.tasks.Go(func() { w.receive(stream, answers) })
	for {
		select {
		case resp := <-answers:
			if !w.mayAnswer() {
				return w.err
			}
			if err := stream.Send(resp); err != nil {
				w.close(err)
				return err
			}
		case <-w.ended:
			return w.err
		}
	}
}

// mayAnswer waits while answers are held. It is false if the stream ends first.
func (w *writeStream) mayAnswer() bool {
	w.node.cluster.mu.Lock()
	mute := w.node.cluster.mute
	w.node.cluster.mu.Unlock()
	if mute == nil {
		return true
	}
	select {
	case <-mute:
		return true
	case <-w.ended:
		return false
	}
}

// receive takes requests in until the stream ends.
func (w *writeStream) receive(stream grpc.BidiStreamingServer[oxiav1.WriteRequest, oxiav1.WriteResponse], answers chan<- *oxiav1.WriteResponse) {
	for {
		req, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			w.close(nil)
			return
		}
		if err != nil {
			w.close(err)
			return
		}
		w.node.cluster.count("WriteStream")
		resp, err := w.node.write(w.shard, req)
		if err != nil {
			w.close(err)
			return
		}
		if resp == nil { // swallowed
			continue
		}
		select {
		case answers <- resp:
		case <-w.ended:
			return
		}
	}
}

// shardOf reads the metadata of a stream.
func (n *node) shardOf(ctx context.Context) (*shard, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	ids, namespaces := md.Get("shard-id"), md.Get("namespace")
	if len(ids) != 1 || len(namespaces) != 1 {
		return nil, status.Error(codes.Unknown, "shard-id or namespace missing in the metadata")
	}
	id, err := strconv.ParseInt(ids[0], 10, 64)
	if err != nil {
		return nil, status.Error(codes.Unknown, err.Error())
	}
	s := n.cluster.shard(id)
	if s == nil {
		return nil, n.cluster.notLeader(id, "")
	}
	return s, nil
}

// Write is one write outside of a stream.
func (n *node) Write(_ context.Context, req *oxiav1.WriteRequest) (*oxiav1.WriteResponse, error) {
	if req.Shard == nil {
		return nil, status.Error(codes.InvalidArgument, "shard missing")
	}
	s := n.cluster.shard(req.GetShard())
	if s == nil {
		return nil, n.cluster.notLeader(req.GetShard(), "")
	}
	resp, err := n.write(s, req)
	if err == nil && resp == nil {
		err = errClosed
	}
	return resp, err
}

// write lets the hooks decide on a request around its effect. Without answer and error the request is swallowed.
func (n *node) write(s *shard, req *oxiav1.WriteRequest) (*oxiav1.WriteResponse, error) {
	if err := n.refuseHarm(req); err != nil {
		return nil, err
	}
	h := n.cluster.hooksNow()
	w := Write{Shard: s.id, Node: n.index, Request: req}
	if h.write != nil {
		if err := h.write(w); err != nil {
			return nil, err
		}
	}
	resp, swallowed, err := s.write(n.index, req)
	if err != nil || swallowed {
		return nil, err
	}
	w.Response = resp
	if h.applied != nil {
		if err := h.applied(w); err != nil {
			return nil, err
		}
	}
	return resp, nil
}

// refuseHarm refuses what would harm a real server.
func (n *node) refuseHarm(req *oxiav1.WriteRequest) error {
	harm := ""
	if size := proto.Size(req); size > maxLogEntry {
		harm = fmt.Sprintf("a write request of %d bytes stops the shard", size)
	}
	for _, put := range req.GetPuts() {
		if len(put.ProtoReflect().GetUnknown()) > 0 {
			harm = fmt.Sprintf("put %q has fields that are no business of a client", put.GetKey())
		}
		if internal(put.GetKey()) {
			harm = fmt.Sprintf("put of the internal key %q", put.GetKey())
		}
	}
	for _, del := range req.GetDeleteRanges() {
		if del.GetEndExclusive() == "" {
			harm = fmt.Sprintf("a delete range from %q without an end stops the shard", del.GetStartInclusive())
		}
		if internal(del.GetStartInclusive()) || internal(del.GetEndExclusive()) {
			harm = fmt.Sprintf("delete range %q to %q touches internal keys", del.GetStartInclusive(), del.GetEndExclusive())
		}
	}
	if harm == "" {
		return nil
	}
	n.cluster.noteHarm(harm)
	return status.Error(codes.Unknown, harm)
}
