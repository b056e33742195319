package oxiameta

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/oxiameta/oxiav1"
)

// maxReadGets is how many gets one read may hold.
const maxReadGets = 500

// recover finds out what became of the writes that earlier streams left unanswered, from the records as the server of this
// stream has them, and puts those that must be sent again in front of the queue, in their order. An error leaves them for
// the next stream.
//
// The server has acknowledged a write on this stream. So whatever earlier streams put into the shard's log is decided, and
// in its records or not.
func (w *writer) recover(ctx context.Context, st *stream) error {
	w.unanswered = wanted(w.unanswered)
	if len(w.unanswered) == 0 {
		return nil
	}
	found, err := w.look(ctx, st.server)
	if err != nil {
		return err
	}
	var again []*write
	for i, x := range w.unanswered {
		if x.barrier() {
			x.settle(outcome{server: st.server})
			continue
		}
		o, settled := x.judge(found[i])
		if settled {
			x.settle(o)
			continue
		}
		x.replayed = true
		again = append(again, x)
	}
	w.shard.space.client.cfg.Log.Info("writes recovered", "shard", w.shard.String(), "server", st.server.addr,
		"unanswered", len(w.unanswered), "sent again", len(again))
	w.unanswered = nil
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue = append(again, w.queue...)
	return nil
}

// look reads the records under the unanswered writes; nil for those that have none of their own.
func (w *writer) look(ctx context.Context, srv *server) ([]*oxiav1.GetResponse, error) {
	found := make([]*oxiav1.GetResponse, len(w.unanswered))
	var at []int
	var gets []*oxiav1.GetRequest
	for i, x := range w.unanswered {
		if x.put != nil || x.conditional() {
			at = append(at, i)
			gets = append(gets, &oxiav1.GetRequest{Key: x.key()})
		}
	}
	for len(gets) > 0 {
		n := min(len(gets), maxReadGets)
		ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
		answers, err := readGets(ctx, srv, &oxiav1.ReadRequest{Shard: proto.Int64(w.shard.id), Gets: gets[:n]})
		cancel()
		if err != nil {
			return nil, err
		}
		for i, answer := range answers {
			found[at[i]] = answer
		}
		gets, at = gets[n:], at[n:]
	}
	return found, nil
}

// judge says what became of a write whose answer got lost, from the record as it is now; settled is false where it is to be
// sent again.
//
//   - The record bears the mark of a put: it happened.
//   - A put without a condition, or a delete range, is sent again: twice is as good as once.
//   - The record is at the version that the write wants to replace: it did not happen, and as versions never come again it
//     may be sent again without ever happening twice. Over a split nothing is sure about versions.
//   - Otherwise it cannot be told. A create may have happened and its record be gone since; a change may have been
//     refused, or have happened and been followed by another.
func (w *write) judge(record *oxiav1.GetResponse) (o outcome, settled bool) {
	exists := record != nil && record.GetStatus() == oxiav1.Status_STATUS_OK
	at := record.GetVersion()
	if w.put != nil && exists && at.GetClientIdentity() == w.put.GetClientIdentity() {
		return outcome{version: meta.Version(at.GetVersionId())}, true
	}
	if !w.conditional() {
		return outcome{}, false
	}
	if v, concrete := w.expected(); concrete && exists && at.GetVersionId() == v && !w.crossed {
		return outcome{}, false
	}
	return outcome{err: unknown(fmt.Errorf("%s: the answer got lost, and the record does not tell", w))}, true
}
