package history

import "fmt"

// Client is one recorded client. A client may have several operations open at once. Where ordinary reads are recorded,
// a client is also the reader that must never see the stream go back.
type Client uint64

// OpID numbers the operations of one client, increasing.
type OpID uint64

// Seq is the position of a record in its stream, from 0 without gaps. A tail is the seq of the next record.
type Seq uint64

// Token is a producer's fencing token; 0 is none.
type Token uint64

// Hash stands for a record's body. The bodies of a workload should differ, so that each hash names one record.
type Hash uint64

// Kind is the kind of an operation.
type Kind uint8

// The kinds.
const (
	Open   Kind = iota + 1 // open a producer handle: takes a fencing token where there is one, answers the tail
	Append                 // append one batch
	Read                   // read a run of records
	Tail                   // ask for the linearizable tail
)

const kinds = 1 + uint8(Tail)

var kindNames = [kinds]string{"", "open", "append", "read", "tail"}

func (k Kind) String() string {
	if k > 0 && uint8(k) < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Outcome is how an operation ended.
type Outcome uint8

// The outcomes.
const (
	OK      Outcome = iota + 1 // it happened, with the answer that Complete tells
	Failed                     // it did not happen and never will
	Unknown                    // it may have happened, or may still happen
)

const outcomes = 1 + uint8(Unknown)

var outcomeNames = [outcomes]string{"", "ok", "failed", "unknown"}

func (o Outcome) String() string {
	if o > 0 && uint8(o) < outcomes {
		return outcomeNames[o]
	}
	return fmt.Sprintf("outcome(%d)", uint8(o))
}

// The codes of a failed operation that tell more than that it failed. Any other code is only for people.
const (
	MatchFailed = "match-failed" // a conditional append was refused: Complete.Tail is the tail that did not match
	Fenced      = "fenced"       // a newer producer has the stream: Complete.Token is its token
)

// Event is an Invoke, a Complete or a Final.
type Event interface{ event() }

// Invoke is a client starting an operation.
type Invoke struct {
	At     int64 // nanoseconds on the history's clock
	Client Client
	Op     OpID
	Kind   Kind
	Stream string // names one life of one stream

	Hashes []Hash // Append: its records
	Match  *Seq   // Append: only if the tail is exactly this
	Token  Token  // Append, Open: the producer's token; an Open without one takes the next

	From         Seq  // Read: the first seq asked for
	Linearizable bool // Read: an answer that says it reached the tail must have reached the tail of that moment
}

// Complete is the end of an operation.
type Complete struct {
	At      int64
	Client  Client
	Op      OpID
	Kind    Kind
	Outcome Outcome
	Code    string // Failed, Unknown: why

	First  Seq    // Append, Read: seq of the first record; Read of nothing: Next
	Next   Seq    // Append, Read: seq after the last record
	Hashes []Hash // Read: the records
	AtTail bool   // Read: Next is the end of what the star could reveal, not a limit of the request; of no records, the end or beyond it

	Tail  Seq   // Tail, Open, and an Append that failed with MatchFailed: the tail
	Token Token // Open: the token it has; failed with Fenced: the token of the newer producer
}

// Final is the next part of a stream's contents, read back after the last operation on it. A stream may take many; an
// empty stream takes one without hashes.
type Final struct {
	At     int64
	Stream string
	First  Seq // seq of the first hash
	Hashes []Hash
}

func (Invoke) event()   {}
func (Complete) event() {}
func (Final) event()    {}

// Recorder takes events as they happen. It does not lock: the caller passes one event at a time, an Invoke before the
// request leaves and a Complete after the answer arrived.
type Recorder interface {
	Invoke(Invoke)
	Complete(Complete)
	Final(Final)
}

// Ref names an operation.
type Ref struct {
	Client Client
	Op     OpID
	Kind   Kind
}

func (r Ref) String() string { return r.in(nil) }

// in tells the operation, and its client by name as well where it has one.
func (r Ref) in(names Names) string {
	text := fmt.Sprintf("%s %d of client %d", r.Kind, r.Op, r.Client)
	if name := names.of(r.Client); name != "" {
		text += " (" + name + ")"
	}
	return text
}

// Names are what clients are called besides their numbers; empty where one has no name. Nil: none has.
type Names func(Client) string

func (n Names) of(c Client) string {
	if n == nil {
		return ""
	}
	return n(c)
}

func (i Invoke) ref() Ref   { return Ref{Client: i.Client, Op: i.Op, Kind: i.Kind} }
func (c Complete) ref() Ref { return Ref{Client: c.Client, Op: c.Op, Kind: c.Kind} }
