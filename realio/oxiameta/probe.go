package oxiameta

import (
	"context"
	"errors"

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

// errOrder says that a namespace sorts in no way that is known.
var errOrder = errors.New("it is neither natural nor hierarchical")

// checkOrder finds out the key order of the namespace, which the protocol does not tell, and compares it with the order that
// it is used for. The range from "P/" to "P0" holds P/z in natural order, and nothing in hierarchical order; the range from
// "P/" to "P//" the reverse.
func (sp *space) checkOrder(ctx context.Context) error {
	v := view{space: sp}
	natural, err := readAt(ctx, v, route(probeKey), func(ctx context.Context, srv *server, shard int64) (bool, error) {
		put := &oxiav1.PutRequest{Key: probeKey}
		if _, err := srv.rpc.Write(ctx, &oxiav1.WriteRequest{Shard: proto.Int64(shard), Puts: []*oxiav1.PutRequest{put}}); err != nil {
			return false, err
		}
		asNatural, err := readSpan(ctx, srv, &oxiav1.RangeScanRequest{
			Shard: proto.Int64(shard), StartInclusive: probeParent + "/", EndExclusive: probeParent + "0",
		}, 1)
		if err != nil {
			return false, err
		}
		start, end := childBounds(probeParent)
		asTree, err := readSpan(ctx, srv, &oxiav1.RangeScanRequest{Shard: proto.Int64(shard), StartInclusive: start, EndExclusive: end}, 1)
		if err == nil && len(asNatural) == len(asTree) {
			err = errOrder
		}
		return len(asNatural) > 0, err
	})
	address := sp.servers.cfg.Addresses[0]
	reason := WrongOrder
	switch {
	case err != nil && !errors.Is(err, errOrder):
		reason, _ = reasonOf(err)
	case err == nil && natural && !sp.natural:
		err = errors.New("it is natural, and Nova's records need hierarchical order; this may be the address of the naming service")
	case err == nil && !natural && sp.natural:
		err = errors.New("it is hierarchical, and naming needs natural order; run a service with --key-sorting natural for it")
	}
	if err == nil {
		return nil
	}
	return &OpenError{Address: address, Namespace: sp.namespace, Reason: reason, Err: err}
}
