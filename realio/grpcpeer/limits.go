package grpcpeer

import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
)

// MaxMessageBytes is the largest message that either side takes. The limits on records and batches are the star's and lie
// well below it.
const MaxMessageBytes = 16 << 20

const (
	maxReplyBytes   = 8 << 20         // encoded records in one reply; the rest is left for the next
	maxFetchBytes   = 4 << 20         // bodies in one reply
	readBytes       = 256 << 10       // bodies in one message of a read
	maxReads        = 1024            // at once at one star: each may hold a run and what the connection took of it
	maxFetchCount   = 65536           // records in one reply
	maxFetchWait    = time.Minute     // how long a fetch may wait at the tail
	maxUnanswered   = 4096            // batches of one session that the star took and has not answered
	heartbeat       = 5 * time.Second // of a following read, where it names none
	minHeartbeat    = 100 * time.Millisecond
	closeTimeout    = 5 * time.Second // for giving a handle back when its client is gone
	streamWindow    = 1 << 20         // bytes received for one call and not read yet
	connWindow      = 16 << 20
	maxCalls        = 8192 // at once on one connection
	pingAfter       = 15 * time.Second
	pingTimeout     = 10 * time.Second
	minPingInterval = 5 * time.Second // a client that pings more often is cut off
)

func serverOptions() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(MaxMessageBytes),
		grpc.MaxSendMsgSize(MaxMessageBytes),
		grpc.MaxConcurrentStreams(maxCalls),
		grpc.InitialWindowSize(streamWindow),
		grpc.InitialConnWindowSize(connWindow),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: pingAfter, Timeout: pingTimeout}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: minPingInterval, PermitWithoutStream: true}),
	}
}
