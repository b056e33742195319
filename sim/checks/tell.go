package checks

import (
	"fmt"
	"strings"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
)

// What the observer understands of a write goes into the trace, behind the write itself: the trace alone then tells what became
// of slots, epochs and leaderships.
//
//	slot.flight, slot.poison, slot.damaged, slot.gone   of one store: star, epoch, slot, and the windows of a flight
//	chain.epoch, writer, producer, refs, refs.gone                the row as it is now
//	acked                                               an acknowledgement, and where its records lie

// mostWindows is how many windows of a flight are told.
const mostWindows = 8

// tellSlot tells what a store holds in a slot now.
func (o *Observer) tellSlot(store string, e *epoch, at keys.Slot, is cell, entries []format.Entry, by string) {
	if !o.world.Tracing() {
		return
	}
	kv := []any{"epoch", e.path(), "slot", at, "by", by}
	for i, w := range entries {
		if i == mostWindows {
			kv = append(kv, "more", len(entries)-i)
			break
		}
		kv = append(kv, "stream", o.stream(w.Stream).String(), "seqs", runOf(w.First, w.End()), "under", w.StreamEpoch)
	}
	o.world.Emit(store, [...]string{"slot.gone", "slot.flight", "slot.poison", "slot.damaged"}[is], kv...)
}

// tellEpoch tells the row of a chain epoch.
func (o *Observer) tellEpoch(e *epoch, row *records.ChainEpoch, by string) {
	if !o.world.Tracing() {
		return
	}
	o.world.Emit("meta", "chain.epoch", "epoch", e.path(), "at", o.places[e.star], "class", word(row.GetClass(), "CLASS_"), "state", word(row.GetState(), "CHAIN_STATE_"), "quorum", row.GetQuorum(),
		"cut", maybe(row.Cut), "checkpoint", row.GetCheckpoint(), "trimmed", row.GetTrimmed(), "by", by)
}

// tellWriter tells the last-writer row of a stream.
func (o *Observer) tellWriter(s *stream, row *records.Writer, by string) {
	if o.world.Tracing() {
		o.world.Emit("meta", "writer", "stream", s.String(), "id", s.id, "under", row.GetStreamEpoch(), "star", row.GetStar(), "chain", row.GetChainEpoch(),
			"clean", row.GetCleanEpoch(), "deleted", row.GetDeleted(), "by", by)
	}
}

// tellToken tells the fencing token of a stream.
func (o *Observer) tellToken(s *stream, row *records.Producer, by string) {
	if o.world.Tracing() {
		o.world.Emit("meta", "producer", "stream", s.String(), "token", row.GetToken(), "by", by)
	}
}

// tellRefs tells a ref row of a stream; one that is gone has no value.
func (o *Observer) tellRefs(s *stream, first keys.Seq, row *records.RefRow, by string) {
	switch {
	case !o.world.Tracing():
	case row == nil:
		o.world.Emit("meta", "refs.gone", "stream", s.String(), "first", first, "by", by)
	default:
		o.world.Emit("meta", "refs", "stream", s.String(), "first", first, "end", row.GetEnd(), "clean", row.GetCleanEpoch(), "by", by)
	}
}

// tellAck tells where the records of an acknowledged append lie.
func (o *Observer) tellAck(s *stream, a ack) {
	if o.world.Tracing() {
		o.world.Emit(o.clients[a.client], "acked", append([]any{"under", a.epoch}, a.about()...)...)
	}
}

// runOf is a run of seqs in one word.
func runOf[T ~uint64](first, next T) string {
	if next == 0 {
		return "none"
	}
	return fmt.Sprintf("%d..%d", first, next-1)
}

// word is the name of an enumerated value in one word.
func word(value fmt.Stringer, prefix string) string {
	return strings.ToLower(strings.TrimPrefix(value.String(), prefix))
}
