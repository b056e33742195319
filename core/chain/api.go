package chain

import (
	"errors"
	"time"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
)

// ErrEnded says that the chain epoch of a batch or barrier is not the one that this writer writes into. Nothing was taken.
var ErrEnded = errors.New("chain: epoch ended")

// Outcome is what became of a batch or a barrier.
type Outcome uint8

// The outcomes.
const (
	Indeterminate Outcome = iota // not known here: it may or may not be part of the stream
	Durable                      // part of the chain, whatever crashes
	NotAppended                  // not part of the chain, and never will be
)

func (o Outcome) String() string { return [...]string{"indeterminate", "durable", "not appended"}[o] }

// Batch is one sequenced batch of one stream. The writer keeps Raw, and neither side changes it any more.
type Batch struct {
	Stream                keys.StreamID
	StreamEpoch           keys.StreamEpoch
	Epoch                 keys.Epoch // the chain epoch that the leadership's writer row names
	First                 keys.Seq
	Count                 uint32
	FirstStamp, LastStamp int64 // microseconds since 1970
	Raw                   []byte
	Done                  func(Outcome) // called once, with the baton held; must not wait
}

// Flight is a sealed group of windows whose slot is in the durable prefix.
type Flight struct {
	Epoch     keys.Epoch
	Slot      keys.Slot
	Entries   []format.Entry
	SizeBytes int
	Sealed    time.Duration // on the monotonic clock
}

// Sink is told what becomes of a writer's epochs. Its methods are called with the baton held and must not wait.
type Sink interface {
	// Durable: the flight is in the durable prefix. Flights come in slot order, each before its batches are resolved.
	Durable(f *Flight)
	// Ended: the writer acknowledges nothing more in this epoch, not yet knowing its cut. Leaderships that write into it
	// are over; none of them may be released cleanly.
	Ended(epoch keys.Epoch)
	// Closed: the cut of an ended epoch is known, and its batches are resolved. It can be settled now.
	Closed(epoch keys.Epoch, cut keys.Slot)
}
