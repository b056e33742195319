package oxiatest

import (
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// stateFor is the state that a read is answered from.
func (n *node) stateFor(method string, shard *int64) (*state, error) {
	if shard == nil {
		return nil, status.Error(codes.InvalidArgument, "shard missing")
	}
	if hook := n.cluster.hooksNow().read; hook != nil {
		if err := hook(Read{Method: method, Shard: *shard, Node: n.index}); err != nil {
			return nil, err
		}
	}
	return n.cluster.readAt(n.index, *shard)
}

// Read answers gets, a few to a frame.
func (n *node) Read(req *oxiav1.ReadRequest, stream grpc.ServerStreamingServer[oxiav1.ReadResponse]) error {
	st, err := n.stateFor("Read", req.Shard)
	if err != nil {
		return err
	}
	var found []*oxiav1.GetResponse
	for _, get := range req.GetGets() {
		found = append(found, st.lookup(get))
	}
	return frames(found, n.cluster.cfg.FrameItems, func(part []*oxiav1.GetResponse) error {
		return stream.Send(&oxiav1.ReadResponse{Gets: part})
	})
}

// List sends the record keys of a range.
func (n *node) List(req *oxiav1.ListRequest, stream grpc.ServerStreamingServer[oxiav1.ListResponse]) error {
	st, err := n.stateFor("List", req.Shard)
	if err != nil {
		return err
	}
	rows, err := n.span(st, req.GetStartInclusive(), req.GetEndExclusive(), req.SecondaryIndexName)
	if err != nil {
		return err
	}
	var keys []string
	for _, r := range rows {
		keys = append(keys, r.key)
	}
	return frames(keys, n.cluster.cfg.FrameItems, func(part []string) error {
		return stream.Send(&oxiav1.ListResponse{Keys: part})
	})
}

// RangeScan sends the records of a range. Records found by index do not tell by which secondary key.
func (n *node) RangeScan(req *oxiav1.RangeScanRequest, stream grpc.ServerStreamingServer[oxiav1.RangeScanResponse]) error {
	st, err := n.stateFor("RangeScan", req.Shard)
	if err != nil {
		return err
	}
	rows, err := n.span(st, req.GetStartInclusive(), req.GetEndExclusive(), req.SecondaryIndexName)
	if err != nil {
		return err
	}
	var found []*oxiav1.GetResponse
	for _, r := range rows {
		resp := r.found(true)
		resp.Key = &r.key
		found = append(found, resp)
	}
	return frames(found, n.cluster.cfg.FrameItems, func(part []*oxiav1.GetResponse) error {
		return stream.Send(&oxiav1.RangeScanResponse{Records: part})
	})
}

// span reads a range, unless its bounds would lead a real server out of the index.
func (n *node) span(st *state, start, end string, index *string) ([]*row, error) {
	if index != nil && st.order.depth(start) != st.order.depth(end) {
		harm := fmt.Sprintf("scan of index %s from %q to %q crosses depths", *index, start, end)
		n.cluster.noteHarm(harm)
		return nil, status.Error(codes.Unknown, harm)
	}
	return st.span(start, end, index), nil
}

func frames[T any](items []T, size int, send func([]T) error) error {
	for len(items) > 0 {
		part := items[:min(size, len(items))]
		items = items[len(part):]
		if err := send(part); err != nil {
			return err
		}
	}
	return nil
}
