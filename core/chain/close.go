package chain

import (
	"context"
	"time"

	"github.com/novastream/nova/core/backoff"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/run"
)

// end stops an epoch at once: nothing more is sealed, acknowledged or answered in it. Its batches stay undecided until
// the cut is known, because counting lost stores tells a writer to stop, never what failed: a reaped slot looks empty to a
// late fencer, who poisons it. The writer's task goes on with finish.
func (w *Writer) end(e *epoch, why string) {
	if e.ended {
		return
	}
	e.ended = true
	w.current = nil
	w.env.Run.Note("chain epoch ends", "epoch", e.number, "class", w.set.Class.Word(), "why", why, "prefix", e.prefix)
	w.sink.Ended(e.number)
	for _, f := range append(e.sealed[:len(e.sealed):len(e.sealed)], e.waiting...) {
		barriers := f.barriers
		f.barriers = nil
		for _, done := range barriers {
			done(Indeterminate)
		}
	}
	if w.env.Bugs.Has(planted.CountingIsDefinite) {
		w.failSealed(e)
	}
	w.changed.Broadcast()
	w.wake.Broadcast()
}

// failSealed calls all that is undecided not appended: a planted bug.
func (w *Writer) failSealed(e *epoch) {
	for _, f := range e.sealed {
		w.resolve(f, NotAppended)
	}
}

// answerPatience is how long the batches of an epoch that ended wait for its cut, while the metastore does not answer. By then
// another star may lead their streams, and only a producer that is told so looks for it.
const answerPatience = 15 * time.Second

// finish closes an epoch that ended and resolves its batches by the cut. If ctx ends first, what was sealed is
// indeterminate: it may be in the chain or not.
func (w *Writer) finish(ctx context.Context, e *epoch) error {
	unknown, known := w.env.Run.WithCancel(ctx)
	w.env.Run.Go("chain.patience", func(context.Context) { w.outwait(unknown, e) })
	cut, err := w.close(ctx, e)
	known()
	e.cancel() // copies of what is not durable are of no use any more
	for len(e.sealed) > 0 {
		f := pop(&e.sealed)
		switch {
		case err != nil:
			w.resolve(f, Indeterminate)
		case f.slot < cut, f.slot == cut && w.env.Bugs.Has(planted.CutInclusive):
			w.resolve(f, Durable)
		default:
			w.resolve(f, NotAppended)
		}
	}
	w.resolveUnsealed(e)
	if err == nil {
		w.sink.Closed(e.number, cut)
	}
	return err
}

// outwait answers the batches of an epoch whose cut stays unknown for too long. What was sealed is answered as indeterminate
// and still counts as undecided, for nothing that waits for its stream may go on before the cut is known.
func (w *Writer) outwait(unknown context.Context, e *epoch) {
	if w.env.Run.Sleep(unknown, answerPatience) != nil {
		return
	}
	for _, f := range e.sealed {
		f.answer(Indeterminate)
	}
	w.resolveUnsealed(e)
}

// resolveUnsealed resolves what no store has ever seen.
func (w *Writer) resolveUnsealed(e *epoch) {
	for len(e.waiting) > 0 {
		w.resolve(pop(&e.waiting), NotAppended)
	}
}

// close ends the epoch by one CAS on its row, at the end of the durable prefix that this process knows. It needs no store
// and no poison: nobody else could acknowledge. If a cut is there already, that one holds. It tries until the cut is
// known; the error is ctx's.
func (w *Writer) close(ctx context.Context, e *epoch) (cut keys.Slot, err error) {
	err = backoff.Until(ctx, w.env.Run, backoff.Rows, func() bool {
		row, found, err := ReadEpoch(ctx, w.env.Meta.Records.Fresh(), w.env.Star, e.number)
		if err != nil {
			return false
		}
		if !found || !row.Mine(w.env) {
			run.Broken("chain epoch %d of star %s, which this process writes, is gone or another's", e.number, w.env.Star)
		}
		published := false
		if cut, published = row.Cut(); !published || w.env.Bugs.Has(planted.CloseOverCut) {
			cut = e.prefix
			row.Value.Close(uint64(cut))
			w.env.Run.Step(ctx, "close.cut")
			// Commit point. From here on the cut stands, whatever became of the answer: the next try reads it.
			if _, err := Replace(ctx, w.env.Meta.Records, row); err != nil {
				return false
			}
		}
		return true
	})
	if err != nil {
		return 0, err
	}
	if cut < e.prefix {
		run.Broken("chain epoch %d of star %s was cut at %d; slots below %d are acknowledged", e.number, w.env.Star, cut, e.prefix)
	}
	w.env.Run.Note("chain epoch closed", "epoch", e.number, "class", w.set.Class.Word(), "cut", cut, "prefix", e.prefix)
	return cut, nil
}

// pop takes the first of a queue, and lets go of it.
func pop(queue *[]*flight) *flight {
	q := *queue
	f := q[0]
	q[0] = nil
	if *queue = q[1:]; len(q) == 1 {
		*queue = nil
	}
	return f
}
