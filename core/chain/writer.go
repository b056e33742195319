package chain

import (
	"context"

	"github.com/novastream/nova/core/env"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/io/run"
)

// Writer writes one class of a star's chain.
type Writer struct {
	env     env.Env
	set     Set
	sink    Sink
	changed run.Signal
}

// NewWriter makes the writer of a set. It writes nothing until Run runs.
func NewWriter(e env.Env, set Set, sink Sink) *Writer {
	return &Writer{env: e, set: set, sink: sink, changed: e.Run.NewSignal()}
}

// Run is the writer's task: it mints at once, writes, ends and re-mints, until ctx ends or Close has closed the epoch.
func (w *Writer) Run(ctx context.Context) {}

// Current is the chain epoch that leaderships may write into; false while there is none.
func (w *Writer) Current() (keys.Epoch, bool) { return 0, false }

// Changed is broadcast when Current changes.
func (w *Writer) Changed() run.Signal { return w.changed }

// Append puts a batch into the open flight. ErrEnded, with nothing taken, if its epoch is not the current one.
func (w *Writer) Append(b Batch) error { return ErrEnded }

// Barrier has done called with Durable once a flight sealed after this call is in the durable prefix, and with
// Indeterminate if the epoch ends before. ErrEnded, with nothing taken, if the epoch is not the current one.
func (w *Writer) Barrier(epoch keys.Epoch, done func(Outcome)) error { return ErrEnded }

// Fenced tells that the row of the epoch was found fenced.
func (w *Writer) Fenced(epoch keys.Epoch) {}

// Settled waits until no undecided flight, of any epoch of this process, holds the stream.
func (w *Writer) Settled(ctx context.Context, stream keys.StreamID) error { return nil }

// Close ends the epoch cleanly: it seals what is open, waits for what is in flight, and closes the epoch by its row. No
// epoch is minted afterwards. Where ctx ends first, the epoch is closed as it stands, behind.
func (w *Writer) Close(ctx context.Context) error { return nil }

// Admitted is how many bytes of batches are undecided.
func (w *Writer) Admitted() int { return 0 }
