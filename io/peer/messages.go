package peer

import "time"

// StreamName addresses a stream.
type StreamName struct{ Bucket, Key string }

func (n StreamName) String() string { return n.Bucket + "/" + n.Key }

// Mode says how many producers a stream takes.
type Mode uint8

// The modes.
const (
	ModeDefault Mode = iota // what the bucket says
	ModeAny                 // many producers at once
	ModeFenced              // one producer at a time, guarded by a fencing token
)

func (m Mode) String() string { return [...]string{"default", "any", "fenced"}[m] }

// Class says what a stream's slots are copied to.
type Class uint8

// The storage classes.
const (
	ClassDefault  Class = iota // what the bucket says
	ClassStandard              // one regional store
	ClassExpress               // a write quorum of zonal stores
)

func (c Class) String() string { return [...]string{"default", "standard", "express"}[c] }

// Header is a name and value that a record carries.
type Header struct{ Name, Value []byte }

// Record is one record of a stream. Seq and Timestamp are the leader's; a producer leaves them zero.
type Record struct {
	Seq       uint64
	Timestamp time.Time // microseconds are kept
	Headers   []Header
	Body      []byte
}

// Batch is the records of one append: all or nothing, contiguous. A Batch and its records are not changed after Send.
type Batch struct {
	Records  []Record // 1 or more; Seq and Timestamp are ignored
	MatchSeq *uint64  // sequence only if the tail is exactly this
}

// Ack answers one batch.
type Ack struct {
	First uint64 // seq of the batch's first record
	Next  uint64 // seq after its last
	Err   *Error // the batch was refused; First and Next mean nothing
}

// OpenRequest opens a producer handle.
type OpenRequest struct {
	Stream StreamName
	Create bool   // create the stream with the bucket's defaults where it does not exist and the bucket allows it
	Token  uint64 // Fenced streams: the producer's fencing token; 0 takes the next one
}

// Opened tells what an open found.
type Opened struct {
	StreamID string
	Star     string // the leader
	Addr     string
	Epoch    uint64 // stream epoch of the leadership
	Token    uint64 // Fenced streams: the producer's token
	Mode     Mode
	Next     uint64 // the confirmed tail: seq of the next record
}

// FetchRequest asks for records.
type FetchRequest struct {
	Stream   StreamName
	From     uint64        // first seq
	MaxCount int           // at most this many records; 0: no bound of its own
	MaxBytes int           // stop after this many bytes of bodies; at least one record is given; 0: 1 MiB
	Wait     time.Duration // how long to wait at the tail for a first record; 0: not at all
	// Linearizable makes an empty or short answer at the tail confirmed by the barrier.
	Linearizable bool
}

// FetchReply is a run of records, contiguous from FetchRequest.From.
type FetchReply struct {
	Records []Record
	Next    uint64 // where to go on
	// AtTail says that Next was the end of what this star may reveal when it answered; with Linearizable, the tail. Without
	// records Next is where the request began, and the end was there or before.
	AtTail bool
}

// TailReply is the linearizable tail.
type TailReply struct {
	Next uint64    // seq of the next record
	Last time.Time // timestamp of the last record; zero for an empty stream
}

// Bucket is a namespace of streams and their defaults.
type Bucket struct {
	Name         string
	Mode         Mode  // default of its streams; ModeDefault: Any
	Class        Class // default of its streams; ClassDefault: Standard
	CreateOnOpen bool  // opening an unknown stream creates it
	Created      time.Time
}

// Page bounds a listing: up to Limit names above After. Limit 0 is 1,000, which is also the most.
type Page struct {
	Prefix string
	After  string
	Limit  int
}

// CreateStreamRequest creates a stream.
type CreateStreamRequest struct {
	Stream StreamName
	Mode   Mode
	Class  Class
}

// Stream describes a stream.
type Stream struct {
	Name    StreamName
	ID      string
	Mode    Mode
	Class   Class
	Created time.Time
}

// StreamInfo is a stream with its state, for a human: nothing in it is confirmed.
type StreamInfo struct {
	Stream
	Leader     string // star id; empty: vacant
	LeaderAddr string
	Epoch      uint64 // stream epoch of the last leadership
	RefsTail   uint64 // records below it are found by refs
	Rows       int    // ref rows, counted up to 1,000
}

// CertifyRequest asks a star to cover a stream up to a writer row that names it.
type CertifyRequest struct {
	StreamID    string
	StreamEpoch uint64 // of the writer row
	ChainEpoch  uint64 // of the writer row
}

// Verdict is what came of a certify.
type Verdict uint8

// The verdicts.
const (
	Certified Verdict = iota + 1 // everything acknowledged under that row is covered by refs, and marked so
	Leads                        // the star leads the stream: redirect to it
	Departing                    // the star is ending a leadership: try again
)

// CertifyReply answers a certify.
type CertifyReply struct{ Verdict Verdict }

// Health is a star's view of itself.
type Health struct {
	Status   string // serving, draining, stopping
	Star     string
	Location string
	Version  string
	Leading  int
	Limbo    int
	Drained  bool
	Warnings []string
}

// FleetStar is one registered star.
type FleetStar struct {
	Star      string
	Location  string
	Addr      string
	Draining  bool
	Saturated bool
	Leading   int
}
