package grpcpeer

import (
	"fmt"
	"time"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

// Read streams fetches. It fetches the next run only once the last one was handed to the connection, so that a reader that
// never reads holds one run and no more.
func (s *dataService) Read(request *novav1.ReadRequest, stream novav1.DataService_ReadServer) error {
	if s.reads.Add(1) > maxReads {
		s.reads.Add(-1)
		return statusOf(&peer.Error{
			Code: peer.Shed, What: "read of stream " + nameOf(request.GetStream()).String(),
			Reason: fmt.Sprintf("the star serves %d reads at once, its limit", maxReads), Try: "try again later, or read from another star",
		})
	}
	defer s.reads.Add(-1)
	left := limits{count: request.GetLimitCount(), bytes: request.GetLimitBytes()}
	next := request.GetFrom()
	for {
		fetch := peer.FetchRequest{
			Stream: nameOf(request.GetStream()), From: next, MaxCount: left.maxCount(), MaxBytes: left.maxBytes(),
			Linearizable: request.GetLinearizable(),
		}
		if request.GetFollow() {
			fetch.Wait = heartbeatOf(request.GetHeartbeat().AsDuration())
		}
		reply, err := s.star.Fetch(stream.Context(), fetch)
		if err != nil {
			return statusOf(err)
		}
		wire, reply := fit(reply, wireRecords(reply.Records))
		done := left.spend(wire) || (reply.AtTail && !request.GetFollow())
		if err := stream.Send(&novav1.ReadResponse{Records: wire, Next: reply.Next, AtTail: reply.AtTail}); err != nil {
			return err
		}
		if done {
			return nil
		}
		next = reply.Next
	}
}

// limits are what is left of a read's limits; zero is no limit.
type limits struct{ count, bytes uint64 }

func (l limits) maxCount() int {
	if l.count == 0 {
		return maxFetchCount
	}
	return int(min(l.count, maxFetchCount))
}

func (l limits) maxBytes() int {
	if l.bytes == 0 {
		return readBytes
	}
	return int(min(l.bytes, readBytes))
}

// spend takes records off the limits and says whether one is reached.
func (l *limits) spend(records []*novav1.Record) bool {
	var bytes uint64
	for _, r := range records {
		bytes += uint64(len(r.GetBody()))
	}
	byCount := l.count > 0 && l.count <= uint64(len(records))
	byBytes := l.bytes > 0 && l.bytes <= bytes
	if byCount || byBytes {
		return true
	}
	l.count -= min(l.count, uint64(len(records)))
	l.bytes -= min(l.bytes, bytes)
	return false
}

// heartbeatOf bounds the heartbeat that a reader asks for.
func heartbeatOf(asked time.Duration) time.Duration {
	if asked <= 0 {
		return heartbeat
	}
	return max(minHeartbeat, min(asked, maxFetchWait))
}
