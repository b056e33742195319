package peer

import "context"

// Network reaches stars by their advertised address.
type Network interface {
	// Dial never waits: what cannot be reached shows in the calls.
	Dial(addr string) Star
}

// Star is what one star offers to clients and to other stars.
type Star interface {
	Data
	Admin
	Node
}

// Data is the life of records.
type Data interface {
	// OpenSession opens a producer handle on a stream at this star, through the gate where nobody leads it.
	// NotOwner names the star to ask instead; NotFound, AtCapacity, Shed, Retry, Fenced, Unavailable. Idempotent.
	OpenSession(ctx context.Context, req OpenRequest) (Session, error)
	// Fetch reads records from a seq. It answers at least one record, or waits up to req.Wait for one at the tail and
	// then answers none. NotOwner redirects reads beyond the refs to the leader; Trimmed, NotFound, Retry, Unavailable.
	Fetch(ctx context.Context, req FetchRequest) (FetchReply, error)
	// Tail is the linearizable tail: it reflects every append acknowledged before the call began.
	Tail(ctx context.Context, stream StreamName) (TailReply, error)
}

// Admin is the life of buckets and streams. Any star answers all of it.
type Admin interface {
	CreateBucket(ctx context.Context, bucket Bucket) (Bucket, error)             // AlreadyExists, Invalid
	DescribeBucket(ctx context.Context, name string) (Bucket, error)             // NotFound
	ListBuckets(ctx context.Context, page Page) ([]Bucket, error)                // in name order
	CreateStream(ctx context.Context, req CreateStreamRequest) (Stream, error)   // AlreadyExists, Invalid, NotFound (bucket)
	DescribeStream(ctx context.Context, name StreamName) (StreamInfo, error)     // NotFound
	ListStreams(ctx context.Context, bucket string, page Page) ([]Stream, error) // in key order
	DeleteStream(ctx context.Context, name StreamName) error                     // NotFound, Retry; NotOwner names the leader
}

// Node is the life of the star itself and of its fleet.
type Node interface {
	// Certify asks this star to cover a stream for another without leading it (leadership.md, the gate).
	Certify(ctx context.Context, req CertifyRequest) (CertifyReply, error)
	Health(ctx context.Context) (Health, error)
	Fleet(ctx context.Context) ([]FleetStar, error) // by star id
}

// Session is one producer handle. Batches are sequenced in the order of Send, and Recv answers in that same order.
// One task sends and one receives; both may wait at once.
type Session interface {
	// Opened tells what the open found.
	Opened() Opened
	// Send hands over one batch. It waits while the stream window (unacknowledged bytes of the session) is full. An error
	// ends the session; batches sent and not answered are then indeterminate unless the error is definite.
	Send(ctx context.Context, batch Batch) error
	// Recv waits for the outcome of the oldest unanswered batch. A refused batch (MatchFailed, TooLarge, Invalid) does not
	// end the session: it is answered as Ack.Err. An error ends the session.
	Recv(ctx context.Context) (Ack, error)
	// Close gives the handle back. Outcomes not received by then are lost to the caller.
	Close(ctx context.Context) error
}
