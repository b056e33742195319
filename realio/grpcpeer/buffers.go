package grpcpeer

import (
	"fmt"

	"google.golang.org/grpc/experimental"
	"google.golang.org/grpc/mem"
)

// bufferTiers are powers of two from 256 B to the largest message.
var bufferTiers = []uint8{8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24}

// gRPC's own pool of message buffers goes from 32 KiB straight to 1 MiB and clears what it hands out, so that a batch of
// 64 KiB cost the clearing of 1 MiB at the sender and at the receiver: a third of a busy star's time. The codec takes the
// process's default pool, which can only be set before anything runs.
func init() {
	pool, err := mem.NewBinaryTieredBufferPool(bufferTiers...)
	if err != nil {
		panic(fmt.Sprintf("grpcpeer: buffer tiers that gRPC does not take: %v", err))
	}
	experimental.SetDefaultBufferPool(pool)
}
