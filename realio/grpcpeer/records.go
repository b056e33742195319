package grpcpeer

import (
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer/novav1"
)

func wireRecords(records []peer.Record) []*novav1.Record {
	slab := make([]novav1.Record, len(records))
	wire := make([]*novav1.Record, len(records))
	for i := range records {
		r, w := &records[i], &slab[i]
		w.Seq, w.TimestampUs, w.Body = r.Seq, micros(r.Timestamp), r.Body
		if len(r.Headers) > 0 {
			w.Headers = make([]*novav1.Header, len(r.Headers))
			for j, h := range r.Headers {
				w.Headers[j] = &novav1.Header{Name: h.Name, Value: h.Value}
			}
		}
		wire[i] = w
	}
	return wire
}

func recordsOf(wire []*novav1.Record) []peer.Record {
	records := make([]peer.Record, len(wire))
	for i, w := range wire {
		r := &records[i]
		r.Seq, r.Timestamp, r.Body = w.GetSeq(), stamp(w.GetTimestampUs()), w.GetBody()
		if headers := w.GetHeaders(); len(headers) > 0 {
			r.Headers = make([]peer.Header, len(headers))
			for j, h := range headers {
				r.Headers[j] = peer.Header{Name: h.GetName(), Value: h.GetValue()}
			}
		}
	}
	return records
}

// fit cuts a reply to what one message may hold: at least one record, and no more than maxReplyBytes encoded.
func fit(reply peer.FetchReply, wire []*novav1.Record) ([]*novav1.Record, peer.FetchReply) {
	size := 0
	for i, r := range wire {
		size += proto.Size(r)
		if size > maxReplyBytes && i > 0 {
			reply.Next, reply.AtTail = r.GetSeq(), false
			return wire[:i], reply
		}
	}
	return wire, reply
}

func wireBatch(b peer.Batch) *novav1.Batch {
	return &novav1.Batch{Records: wireRecords(b.Records), MatchSeq: b.MatchSeq}
}

func batchOf(w *novav1.Batch) peer.Batch {
	return peer.Batch{Records: recordsOf(w.GetRecords()), MatchSeq: w.MatchSeq}
}

func wireAck(a peer.Ack) *novav1.Ack {
	w := &novav1.Ack{First: a.First, Next: a.Next}
	if a.Err != nil {
		w.Error = detailOf(a.Err)
	}
	return w
}

func ackOf(w *novav1.Ack) peer.Ack {
	a := peer.Ack{First: w.GetFirst(), Next: w.GetNext()}
	if w.GetError() != nil {
		a.Err = errorOf(w.GetError())
	}
	return a
}

// A stamp of zero is no time at all, both ways.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func stamp(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
