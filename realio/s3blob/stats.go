package s3blob

import (
	"context"
	"sync/atomic"
	"time"
)

// Stats are the numbers of a store since it was opened.
type Stats struct {
	Requests uint64 // sent to the server, those of Open included
	Retries  uint64 // of them, those that asked again after a failure
}

// Stats reads the numbers. It does not ask the server.
func (s *Store) Stats() Stats {
	return Stats{Requests: s.wire.requests.Load(), Retries: s.wire.retries.Load()}
}

// counts are what a store counts of itself.
type counts struct{ requests, retries atomic.Uint64 }

// again is the delay before a try after this one, which it counts.
func (s *counts) again(p pace, try int) time.Duration {
	s.retries.Add(1)
	return p.delay(try)
}

// again lets the time before the next try pass.
func (s *Store) again(ctx context.Context, try int) error {
	s.wire.retries.Add(1)
	return s.pace.wait(ctx, try)
}
