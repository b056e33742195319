package leadership

import (
	"fmt"

	"github.com/novastream/nova/core/chain"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/planted"
	"github.com/novastream/nova/io/peer"
)

// check refuses a batch that breaks a limit, and says how many bytes an accepted one takes.
func (m *Manager) check(name peer.StreamName, b peer.Batch) (size int, refusal *peer.Error) {
	limits := m.cfg.Limits
	refuse := func(code peer.Code, try, format string, args ...any) *peer.Error {
		return &peer.Error{Code: code, What: "batch for " + streamWhat(name), Reason: fmt.Sprintf(format, args...), Try: try}
	}
	if len(b.Records) == 0 {
		return 0, refuse(peer.Invalid, "send one record or more", "it holds no record")
	}
	if len(b.Records) > limits.BatchRecords {
		return 0, refuse(peer.TooLarge, "split it", "it holds %d records; at most %d are allowed", len(b.Records), limits.BatchRecords)
	}
	for i, r := range b.Records {
		bytes := len(r.Body)
		for _, h := range r.Headers {
			bytes += len(h.Name) + len(h.Value)
		}
		if bytes > limits.RecordBytes {
			return 0, refuse(peer.TooLarge, "store large values elsewhere and append a reference", "record %d is %d bytes; at most %d are allowed", i, bytes, limits.RecordBytes)
		}
		size += bytes
	}
	if size > limits.BatchBytes {
		return 0, refuse(peer.TooLarge, "split it", "it is %d bytes; at most %d are allowed", size, limits.BatchBytes)
	}
	return size, nil
}

// sequence gives the batch the next seqs and puts it into the chain, or refuses it. Nothing waits in between.
func (l *Leadership) sequence(s *Session, a *answer, batch peer.Batch, size int) {
	at := l.next
	if l.m.env.Bugs.Has(planted.MatchDurable) {
		at = l.durable.next
	}
	if match := batch.MatchSeq; match != nil && keys.Seq(*match) != at {
		l.refuse(s, a, l.next)
		return
	}
	stamp := max(l.m.nowUs(), l.lastStamp)
	encoded := formatBatch(batch, stamp)
	raw := format.AppendBatch(make([]byte, 0, encoded.EncodedSize()), encoded)
	first, end := l.next, l.next+keys.Seq(len(batch.Records))
	err := l.m.cfg.Lines[l.class].Writer.Append(chain.Batch{
		Stream: l.id, StreamEpoch: l.epoch, Epoch: l.writesInto(), First: first, Count: uint32(len(batch.Records)),
		FirstStamp: stamp, LastStamp: stamp, Raw: raw,
		Done: func(outcome chain.Outcome) { l.decided(s, a, Acked{first, end, stamp, raw}, size, outcome) },
	})
	if err != nil { // the chain epoch ended; the leadership is about to hear of it
		s.decide(a, ackOf(l.name, 0, 0, chain.NotAppended))
		return
	}
	l.next, l.lastStamp = end, stamp
	l.undecided++
	s.bytes += size
	l.m.retain(len(raw))
	l.m.offered += uint64(size)
	l.m.appended += uint64(len(batch.Records))
}

// writesInto is the chain epoch that the leadership may write into: the one its writer row names.
func (l *Leadership) writesInto() keys.Epoch {
	if l.m.env.Bugs.Has(planted.LeadPastEpoch) {
		epoch, _ := l.m.cfg.Lines[l.class].Writer.Current()
		return epoch
	}
	return l.chain
}

// decided is told by the chain what became of a batch, in the order of seqs.
func (l *Leadership) decided(s *Session, a *answer, run Acked, size int, outcome chain.Outcome) {
	l.undecided--
	s.bytes -= size
	if outcome == chain.Durable {
		l.durable = tail{run.End, run.StampUs}
	}
	if outcome == chain.Durable && l.phase != over {
		l.window.add(run)
	} else {
		l.m.retain(-len(run.Raw))
	}
	s.decide(a, ackOf(l.name, uint64(run.First), uint64(run.End), outcome))
	l.broadcast()
}

// refuse answers a failed match with the tail that failed it, once that tail is confirmed: what is not decided is never
// revealed, and being durable alone proves nothing about a star that has been superseded.
func (l *Leadership) refuse(s *Session, a *answer, tail keys.Seq) {
	answerWith := func(e *peer.Error) { s.decide(a, peer.Ack{Err: e}) }
	mismatch := &peer.Error{
		Code: peer.MatchFailed, What: streamWhat(l.name), Reason: fmt.Sprintf("the tail is %d", tail), Tail: uint64(tail),
		Try: "read the stream from the expected seq to see what is there",
	}
	if l.m.env.Bugs.Has(planted.RefuseUnconfirmed) {
		answerWith(mismatch)
		return
	}
	err := l.barrier(func(confirmed bool) {
		if confirmed {
			answerWith(mismatch)
			return
		}
		answerWith(ackOf(l.name, 0, 0, chain.NotAppended).Err)
	})
	if err != nil {
		answerWith(ackOf(l.name, 0, 0, chain.NotAppended).Err)
	}
}

// barrier has done called once a flight sealed after this call is in the durable prefix and the leadership still answers,
// which proves that nobody had fenced the chain when the call was made.
func (l *Leadership) barrier(done func(confirmed bool)) error {
	err := l.m.cfg.Lines[l.class].Writer.Barrier(l.writesInto(), func(outcome chain.Outcome) {
		l.undecided--
		done(outcome == chain.Durable && !l.noReturn)
		l.broadcast()
	})
	if err == nil {
		l.undecided++
	}
	return err
}

// formatBatch is the batch as its slot holds it. All records bear the batch's stamp.
func formatBatch(b peer.Batch, stamp int64) format.Batch {
	out := format.Batch{Records: make([]format.Record, len(b.Records))}
	for i, r := range b.Records {
		out.Records[i] = format.Record{StampMicros: stamp, Body: r.Body, Headers: formatHeaders(r.Headers)}
	}
	return out
}

func formatHeaders(headers []peer.Header) []format.HeaderField {
	if len(headers) == 0 {
		return nil
	}
	out := make([]format.HeaderField, len(headers))
	for i, h := range headers {
		out[i] = format.HeaderField{Name: h.Name, Value: h.Value}
	}
	return out
}
