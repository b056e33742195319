package grpcpeer

import (
	"fmt"

	"google.golang.org/grpc/mem"
)

// newBuffers makes a pool of message buffers with a tier at each power of two from 256 B to the largest message. gRPC's own
// pool goes from 32 KiB straight to 1 MiB and clears what it hands out, so that a batch of 64 KiB cost the clearing of 1 MiB,
// twice: that was a third of a busy star's time.
func newBuffers() mem.BufferPool {
	tiers := []uint8{8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}
	pool, err := mem.NewBinaryTieredBufferPool(tiers...)
	if err != nil {
		panic(fmt.Sprintf("grpcpeer: buffer tiers that gRPC does not take: %v", err))
	}
	return pool
}
