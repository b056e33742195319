package oxiameta

import (
	"errors"
	"fmt"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// maxBatchWrites is how many writes one batch may hold, whatever their size.
const maxBatchWrites = 1000

// batch is one request on a stream, with the writes in it. Servers apply puts, then deletes, then delete ranges; so a batch
// ends where the order of the writes is another.
type batch struct {
	req     *oxiav1.WriteRequest
	writes  []*write
	size    int
	deletes bool // a put may not follow
	spans   bool // nothing but spans and barriers may follow
}

// fits says whether a write may join.
func (b *batch) fits(w *write, maxBytes int) bool {
	full := len(b.writes) >= maxBatchWrites || b.size+w.size > maxBytes && len(b.writes) > 0
	outOfOrder := w.put != nil && (b.deletes || b.spans) || w.del != nil && b.spans
	return !full && !outOfOrder
}

func (b *batch) add(w *write) {
	switch {
	case w.put != nil:
		b.req.Puts = append(b.req.Puts, w.put)
	case w.del != nil:
		b.req.Deletes = append(b.req.Deletes, w.del)
		b.deletes = true
	case w.span != nil:
		b.req.DeleteRanges = append(b.req.DeleteRanges, w.span)
		b.spans = true
	}
	b.size += w.size
	b.writes = append(b.writes, w)
}

// fill takes writes from the front of a queue, as many as fit, and gives what is left. The batch is nil if nobody wants any.
// Barriers alone write nothing: their batch deletes what is never there.
func fill(queue []*write, maxBytes int) (*batch, []*write) {
	b := &batch{req: &oxiav1.WriteRequest{}}
	for len(queue) > 0 {
		w := queue[0]
		if !b.fits(w, maxBytes) {
			break
		}
		queue = queue[1:]
		if w.send() {
			b.add(w)
		}
	}
	if len(b.writes) == 0 {
		return nil, nil
	}
	if len(b.req.Puts)+len(b.req.Deletes)+len(b.req.DeleteRanges) == 0 {
		b.req.Deletes = []*oxiav1.DeleteRequest{{Key: scratchKey}}
	}
	return b, queue
}

var errAnswer = errors.New("the server's answer does not fit the request")

// answer settles the writes of a batch. An error is the server's fault: nothing is settled.
func (b *batch) answer(resp *oxiav1.WriteResponse, srv *server) error {
	puts, deletes, spans := resp.GetPuts(), resp.GetDeletes(), resp.GetDeleteRanges()
	if len(puts) != len(b.req.Puts) || len(deletes) != len(b.req.Deletes) || len(spans) != len(b.req.DeleteRanges) {
		return errAnswer
	}
	for _, w := range b.writes {
		switch {
		case w.put != nil:
			w.settle(w.putOutcome(puts[0]))
			puts = puts[1:]
		case w.del != nil:
			w.settle(outcome{err: w.deleteError(deletes[0].GetStatus())})
			deletes = deletes[1:]
		case w.span != nil:
			w.settle(outcome{err: w.spanError(spans[0].GetStatus())})
			spans = spans[1:]
		default:
			w.settle(outcome{server: srv})
		}
	}
	return nil
}

func (w *write) putOutcome(resp *oxiav1.PutResponse) outcome {
	switch resp.GetStatus() {
	case oxiav1.Status_STATUS_OK:
		return outcome{version: meta.Version(resp.GetVersion().GetVersionId())}
	case oxiav1.Status_STATUS_UNEXPECTED_VERSION_ID:
		return outcome{err: w.conflict()}
	case oxiav1.Status_STATUS_SESSION_DOES_NOT_EXIST:
		return outcome{err: errSession}
	default:
		return outcome{err: unknown(fmt.Errorf("%s: status %v", w, resp.GetStatus()))}
	}
}

func (w *write) deleteError(status oxiav1.Status) error {
	switch status {
	case oxiav1.Status_STATUS_OK:
		return nil
	case oxiav1.Status_STATUS_UNEXPECTED_VERSION_ID:
		return w.conflict()
	case oxiav1.Status_STATUS_KEY_NOT_FOUND:
		if w.replayed {
			return unknown(fmt.Errorf("%s: it is gone, by an earlier try or before", w))
		}
		return fmt.Errorf("%w: %q", meta.ErrNotFound, w.key())
	default:
		return unknown(fmt.Errorf("%s: status %v", w, status))
	}
}

func (w *write) spanError(status oxiav1.Status) error {
	if status != oxiav1.Status_STATUS_OK {
		return unknown(fmt.Errorf("%s: status %v", w, status))
	}
	return nil
}

// conflict is what a refused condition means: the record is at another version, unless that is the work of an earlier try.
func (w *write) conflict() error {
	if w.replayed {
		return unknown(fmt.Errorf("%s: the version moved on, by an earlier try or by another", w))
	}
	if v, concrete := w.expected(); concrete {
		return fmt.Errorf("%w: %q is not at version %d", meta.ErrConflict, w.key(), v)
	}
	return fmt.Errorf("%w: %q exists", meta.ErrConflict, w.key())
}
