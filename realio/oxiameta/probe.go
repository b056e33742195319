package oxiameta

import (
	"context"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// The keys of this client itself. Callers cannot have or see them: in natural order they lie below every key that callers may
// have, in hierarchical order their parents are refused.
const (
	reserved = "\x00nova/"
	// scratchKey never has a record: its delete is a write without an effect.
	scratchKey = reserved + "scratch"
	// probeKey has a record in every namespace, for good.
	probeKey    = probeParent + "/z"
	probeParent = reserved + "order"
)

// errOrder begins the sentence that says how a namespace sorts.
var errOrder = errors.New("it is")

// probe does once what stars will do: it writes on a stream, reads, and begins a session where sessions are used. It finds
// out the key order of the namespace, which the protocol does not tell, and compares it with the order that it is used for.
func (sp *space) probe(ctx context.Context) error {
	v := view{space: sp}
	if _, err := readAt(ctx, v, route(probeKey), sp.writeOnce); err != nil {
		err := sp.unfit(err)
		if code := status.Code(err.Err); code == codes.InvalidArgument || code == codes.Unimplemented { // it answered the first call
			err.Reason = InBetween
		}
		return err
	}
	natural, err := readAt(ctx, v, route(probeKey), isNatural)
	switch {
	case err != nil:
		return sp.unfit(err)
	case natural && !sp.natural:
		err = fmt.Errorf("%w natural, and these records need hierarchical order; this may be the namespace or the service of naming", errOrder)
	case !natural && sp.natural:
		err = fmt.Errorf("%w hierarchical, and naming needs natural order, which a server has by --key-sorting natural", errOrder)
	case sp == sp.client.ephemeral:
		err = sp.probeSession(ctx)
	}
	if err != nil {
		return sp.unfit(err)
	}
	return nil
}

// writeOnce writes the record of the probe on a stream of its own.
func (sp *space) writeOnce(ctx context.Context, srv *server, shard int64) (struct{}, error) {
	ctx, cancel := context.WithCancel(toShard(ctx, shard, sp.namespace))
	defer cancel()
	wire, err := srv.rpc.WriteStream(ctx)
	if err != nil {
		return struct{}{}, err
	}
	put := &oxiav1.PutRequest{Key: probeKey}
	if err := wire.Send(&oxiav1.WriteRequest{Puts: []*oxiav1.PutRequest{put}}); err != nil && !errors.Is(err, io.EOF) {
		return struct{}{}, err
	}
	_, err = wire.Recv()
	return struct{}{}, err
}

// isNatural says in which order a server sorts. The range from "P/" to "P0" holds P/z in natural order, and nothing in
// hierarchical order; the range from "P/" to "P//" the reverse.
func isNatural(ctx context.Context, srv *server, shard int64) (bool, error) {
	asNatural, err := readSpan(ctx, srv, &oxiav1.RangeScanRequest{
		Shard: proto.Int64(shard), StartInclusive: probeParent + "/", EndExclusive: probeParent + "0",
	}, 1)
	if err != nil {
		return false, err
	}
	start, end := childBounds(probeParent)
	asTree, err := readSpan(ctx, srv, &oxiav1.RangeScanRequest{Shard: proto.Int64(shard), StartInclusive: start, EndExclusive: end}, 1)
	if err == nil && len(asNatural) == len(asTree) {
		err = fmt.Errorf("%w neither natural nor hierarchical", errOrder)
	}
	return len(asNatural) > 0, err
}

// probeSession begins a session as the client will, and ends it.
func (sp *space) probeSession(ctx context.Context) error {
	s, err := sp.shardAt(ctx, route(probeKey))
	if err != nil {
		return err
	}
	id, _, err := sp.client.session.create(ctx, s)
	if err != nil {
		return err
	}
	return closeAt(ctx, s, id)
}

// unfit is the error of a probe. A shard knows better why it does not answer than who has waited for it.
func (sp *space) unfit(err error) *OpenError {
	sp.mu.Lock()
	s := lookup(sp.table, route(probeKey))
	sp.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last != nil {
		err = s.last
	}
	reason, _ := reasonOf(err)
	return &OpenError{Address: sp.servers.cfg.Addresses[0], Namespace: sp.namespace, Reason: reason, Err: err}
}

// legacyAssignments is a method by the name that it has in servers up to 0.14; newer ones have it by that name too.
const legacyAssignments = "/io.streamnative.oxia.proto.OxiaClient/GetShardAssignments"

// speaksOldName says whether a server that does not know the protocol knows it by its old name.
func (sp *space) speaksOldName(ctx context.Context, addr string) bool {
	srv, err := sp.servers.at(addr)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := srv.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, legacyAssignments)
	if err != nil {
		return false
	}
	if stream.SendMsg(&oxiav1.ShardAssignmentsRequest{Namespace: sp.namespace}) != nil || stream.CloseSend() != nil {
		return false
	}
	err = stream.RecvMsg(&oxiav1.ShardAssignments{})
	return err == nil || noNamespace(err)
}
