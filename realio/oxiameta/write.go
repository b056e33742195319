package oxiameta

import (
	"context"
	"fmt"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// write is one write on its way: to a queue of a shard, onto a stream, perhaps onto several, to its outcome. One of put,
// del and span is set, or none: then it is a barrier, which only wants to know which server acknowledges a write.
type write struct {
	route uint32
	put   *oxiav1.PutRequest
	del   *oxiav1.DeleteRequest
	span  *oxiav1.DeleteRangeRequest
	// pinned says that the write is meant for this very shard. It does not move on when the shard is gone.
	pinned bool
	size   int

	// What recovery knows; owned by the shard that has the write.
	replayed bool // sent again after its first answer got lost
	crossed  bool // sent to a shard that is gone, and not answered

	done chan outcome // of capacity one

	mu    sync.Mutex
	phase phase
}

type phase uint8

const (
	queued phase = iota // no server has seen it
	sent                // some server may have
	left                // its caller has gone, or it was answered
)

// outcome is what became of a write.
type outcome struct {
	version meta.Version
	server  *server // that acknowledged it; only for barriers
	err     error
}

// conditional says whether the write depends on what is there, so that its repetition is another write.
func (w *write) conditional() bool {
	return w.put != nil && w.put.ExpectedVersionId != nil || w.del != nil && w.del.ExpectedVersionId != nil
}

func (w *write) barrier() bool { return w.put == nil && w.del == nil && w.span == nil }

// expected is the version that the write wants to find; ok is false where it wants none or any.
func (w *write) expected() (version int64, ok bool) {
	var v *int64
	if w.put != nil {
		v = w.put.ExpectedVersionId
	} else if w.del != nil {
		v = w.del.ExpectedVersionId
	}
	if v == nil || *v == mustNotExist {
		return 0, false
	}
	return *v, true
}

func (w *write) key() string {
	switch {
	case w.put != nil:
		return w.put.GetKey()
	case w.del != nil:
		return w.del.GetKey()
	default:
		return ""
	}
}

func (w *write) String() string {
	switch {
	case w.put != nil:
		return fmt.Sprintf("put %q", w.put.GetKey())
	case w.del != nil:
		return fmt.Sprintf("delete %q", w.del.GetKey())
	case w.span != nil:
		return fmt.Sprintf("delete range %q to %q", w.span.GetStartInclusive(), w.span.GetEndExclusive())
	default:
		return "barrier"
	}
}

// newWrite makes a write ready to be submitted.
func newWrite(w *write) *write {
	const overhead = 8 // of a field in a request
	w.done = make(chan outcome, 1)
	switch {
	case w.put != nil:
		w.size = proto.Size(w.put) + overhead
	case w.del != nil:
		w.size = proto.Size(w.del) + overhead
	case w.span != nil:
		w.size = proto.Size(w.span) + overhead
	}
	return w
}

// send marks the write as on the wire. It is false if nobody wants it any more.
func (w *write) send() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.phase == left {
		return false
	}
	w.phase = sent
	return true
}

// wanted says whether the caller still waits.
func (w *write) wanted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.phase != left
}

// settle tells the outcome.
func (w *write) settle(o outcome) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.phase == left {
		return
	}
	w.phase = left
	w.done <- o
}

// lose settles a write that will get no answer: it is unknown if a server may have seen it.
func (w *write) lose(cause error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.phase == left:
		return
	case w.barrier():
		w.done <- outcome{err: cause}
	case w.phase == sent:
		w.done <- outcome{err: unknown(cause)}
	default:
		w.done <- outcome{err: unavailable(cause)}
	}
	w.phase = left
}

// wait waits for the outcome, or leaves the write when the context ends.
func (w *write) wait(ctx context.Context) outcome {
	select {
	case o := <-w.done:
		return o
	case <-ctx.Done():
		w.lose(context.Cause(ctx))
		return <-w.done // the outcome that was first
	}
}

// mustNotExist is the expected version of a create.
const mustNotExist = -1

// expect gives the wire's form of an expectation; nil expects nothing.
func expect(e meta.Expect) *int64 {
	if v, concrete := e.Version(); concrete {
		return proto.Int64(int64(v))
	}
	if e.IsAbsent() {
		return proto.Int64(mustNotExist)
	}
	return nil
}
