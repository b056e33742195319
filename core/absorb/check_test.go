package absorb_test

import (
	"context"
	"strings"

	"github.com/novastream/nova/core/absorb"
	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/sim/simmeta"
)

// settleAll settles every epoch of the stars, from a fresh process without faults.
func (r *rig) settleAll(names ...string) {
	r.Helper()
	s := r.life("undertaker")
	r.do(s.p, func(ctx context.Context) {
		for _, name := range names {
			for _, rec := range r.meta.All(simmeta.Records, keys.ChainObjects(keys.StarID(name))) {
				epoch, _ := keys.ParseEpochRow(rec.Key)
				if err := absorb.Settle(ctx, s.env, s.stores, keys.StarID(name), epoch); err != nil {
					r.violate("epoch %d of %s cannot be settled in a healed world: %v", epoch, name, err)
				}
			}
		}
	})
	s.p.Kill()
}

// check reads every stream through its refs, and holds it against what was acknowledged.
func (r *rig) check(streams ...keys.StreamID) {
	r.Helper()
	for _, id := range streams {
		contents := r.read(id)
		for seq, body := range r.acked[id] {
			if contents[seq] != body {
				r.violate("seq %d of stream %s was acknowledged as %q and reads %q", seq, id, body, contents[seq])
			}
		}
		for seq, body := range contents {
			if r.failed[body] {
				r.violate("seq %d of stream %s holds %q, which failed as not appended", seq, id, body)
			}
		}
		if tail := r.tail(id); keys.Seq(len(contents)) != tail {
			r.violate("stream %s has %d records below its tail %d", id, len(contents), tail)
		}
	}
	if len(r.broken) > 0 {
		r.Fatalf("seed %d: %s", r.world.Seed(), r.broken[0])
	}
}

// read gives the records of a stream as its refs name them.
func (r *rig) read(id keys.StreamID) map[keys.Seq]string {
	contents := map[keys.Seq]string{}
	for _, row := range r.rows(id) {
		at := row.First
		for _, span := range row.Value.Spans {
			if keys.Seq(span.First) != at {
				r.violate("row %d of stream %s has a gap at %d", row.First, id, at)
			}
			at += keys.Seq(span.Count)
			r.readSpan(id, span, contents)
		}
		if at != row.End() {
			r.violate("row %d of stream %s ends at %d, its windows at %d", row.First, id, row.End(), at)
		}
	}
	return contents
}

func (r *rig) readSpan(id keys.StreamID, span *records.SpanEntry, contents map[keys.Seq]string) {
	key := keys.SlotObject(keys.StarID(span.Chain), keys.Epoch(span.Epoch), keys.Slot(span.Slot))
	object, _ := r.blob.Peek(key)
	if uint64(len(object)) < span.Offset+span.Length {
		r.violate("slot %s, which stream %s names, is gone", key, id)
		return
	}
	entry := format.Entry{Count: span.Count, Offset: span.Offset, Length: span.Length, Codec: format.Codec(span.Codec), CRC: span.Crc}
	raw, err := format.DecodeWindow(key, entry, object[span.Offset:span.Offset+span.Length])
	if err != nil {
		r.violate("window of stream %s: %v", id, err)
	}
	seq := keys.Seq(span.First)
	for batch, err := range format.Batches(key, raw) {
		if err != nil {
			r.violate("window of stream %s: %v", id, err)
			return
		}
		for _, record := range batch.Records {
			body, _, _ := strings.Cut(string(record.Body), " ")
			if was, there := contents[seq]; there && was != body {
				r.violate("seq %d of stream %s reads %q and %q", seq, id, was, body)
			}
			contents[seq] = body
			seq++
		}
	}
}
