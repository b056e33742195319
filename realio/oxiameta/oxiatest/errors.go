package oxiatest

import (
	"strconv"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"

	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// The reasons of errors, with their codes in servers of 0.17 and later, and in those up to 0.16.
var reasons = map[string]struct{ code, legacy codes.Code }{
	"NODE_IS_NOT_LEADER":      {codes.Aborted, 106},
	"NOT_INITIALIZED":         {codes.Unavailable, 100},
	"SESSION_NOT_FOUND":       {codes.NotFound, 108},
	"INVALID_SESSION_TIMEOUT": {codes.InvalidArgument, 109},
	"NAMESPACE_NOT_FOUND":     {codes.NotFound, 110},
}

// fail makes an error as this cluster's servers encode it.
func (c *Cluster) fail(reason string, facts map[string]string) error {
	r := reasons[reason]
	if c.cfg.Legacy {
		s := status.New(r.legacy, reason)
		if facts["leader"] == "" {
			return s.Err()
		}
		shard, _ := strconv.ParseInt(facts["shard"], 10, 64)
		return detailed(s, &oxiav1.LeaderHint{Shard: shard, LeaderAddress: facts["leader"]})
	}
	return detailed(status.New(r.code, reason), &errdetails.ErrorInfo{Domain: "oxia.io", Reason: reason, Metadata: facts})
}

func detailed(s *status.Status, detail protoadapt.MessageV1) error {
	with, err := s.WithDetails(detail)
	if err != nil {
		panic(err) // a status that is not OK takes any detail
	}
	return with.Err()
}

// notLeader refuses what only the leader of a shard does. leader is a hint, or empty.
func (c *Cluster) notLeader(shard int64, leader string) error {
	facts := map[string]string{}
	if leader != "" {
		facts = map[string]string{"leader": leader, "shard": strconv.FormatInt(shard, 10)}
	}
	return c.fail("NODE_IS_NOT_LEADER", facts)
}

// errClosed is how a stream ends whose leader goes: no details, and the client's own context is fine.
var errClosed = status.Error(codes.Canceled, "context canceled")
