package checks

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/novastream/nova/core/format"
	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/fleets"
	"github.com/novastream/nova/sim/simblob"
	"github.com/novastream/nova/sim/simmeta"
)

// script drives an observer by hand: it writes rows and objects as a fleet would, or as a broken one would.
type script struct {
	*Observer
	t *testing.T
}

func newScript(t *testing.T) *script {
	w := sim.New(sim.Config{})
	t.Cleanup(w.Close)
	s := &script{Observe(fleets.New(w, fleets.Config{Stars: 1})), t}
	s.put(simmeta.Naming, keys.StreamRow("b", "k"), nil, &records.Stream{Id: "id", Bucket: "b", Key: "k"})
	s.put(simmeta.Records, keys.EpochRow("s", 1), nil, active())
	return s
}

func active() *records.ChainEpoch {
	return &records.ChainEpoch{
		State: records.ChainState_CHAIN_STATE_ACTIVE, Class: records.Class_CLASS_EXPRESS, Quorum: 2, Window: 32, Boot: "boot", Stores: []string{"x", "y", "z"},
	}
}

func changed(change func(*records.ChainEpoch)) *records.ChainEpoch {
	row := active()
	change(row)
	return row
}

// put writes a row over an old one; nil is none.
func (s *script) put(space simmeta.Space, key string, old, now proto.Message) {
	record := func(m proto.Message) *meta.Record {
		if m == nil {
			return nil
		}
		return &meta.Record{Key: key, Value: records.Encode(m)}
	}
	s.row(simmeta.Write{Space: space, Key: key, Old: record(old), New: record(now), By: "star-1"})
}

func (s *script) record(key string, old, now proto.Message) { s.put(simmeta.Records, key, old, now) }

// slot is the object of a slot with one window of the stream.
func (s *script) slot(at keys.Slot, first keys.Seq, count uint32) (key string, object []byte, entry format.Entry) {
	var raw []byte
	for range count {
		raw = format.AppendBatch(raw, format.Batch{Records: []format.Record{{Body: []byte("body")}}})
	}
	h := format.Header{Star: "s", Boot: "boot", Epoch: 1, Slot: at, Class: records.Class_CLASS_EXPRESS}
	object, entries, err := format.EncodeFlight(h, []format.Window{{Stream: "id", StreamEpoch: 1, First: first, Count: count, Raw: raw}})
	if err != nil {
		s.t.Fatal(err)
	}
	return h.Key(), object, entries[0]
}

// flies puts a slot with one window into so many zonal stores.
func (s *script) flies(at keys.Slot, first keys.Seq, count uint32, copies int) format.Entry {
	key, object, entry := s.slot(at, first, count)
	for store := range copies {
		s.object(1+store, simblob.Write{Store: "zone", Key: key, New: object, By: "star-1"})
	}
	return entry
}

// ack tells the observer of an acknowledgement.
func (s *script) ack(op history.OpID, first, next history.Seq) {
	s.Invoke(history.Invoke{Client: 1, Op: op, Kind: history.Append, Stream: "b/k"})
	s.Complete(history.Complete{Client: 1, Op: op, Kind: history.Append, Outcome: history.OK, First: first, Next: next})
}

// ref is the ref row of windows in the slots from 0 on.
func ref(entries ...format.Entry) *records.RefRow {
	row := &records.RefRow{Builder: "s", Epoch: 1}
	for i, e := range entries {
		row.Spans = append(row.Spans, &records.SpanEntry{
			Chain: "s", Epoch: 1, Slot: uint64(i), Offset: e.Offset, Length: e.Length, First: uint64(e.First), Count: e.Count,
			StreamEpoch: uint64(e.StreamEpoch), Codec: uint32(e.Codec), Crc: e.CRC,
		})
		row.End = uint64(e.End())
	}
	return row
}

func (s *script) found() []string {
	var checks []string
	for _, v := range s.Violations() {
		checks = append(checks, v.Check)
	}
	return checks
}

// TestGoodLife goes through a life in which nothing is wrong.
func TestGoodLife(t *testing.T) {
	s := newScript(t)
	epochRow, refRow := keys.EpochRow("s", 1), keys.RefRow("id", 0)
	s.record(keys.WriterRow("id"), nil, &records.Writer{Star: "s", StreamEpoch: 1, ChainEpoch: 1})
	one, two := s.flies(0, 0, 2, 3), s.flies(1, 2, 1, 2)
	s.ack(1, 0, 2)
	s.ack(2, 2, 3)
	s.record(refRow, nil, ref(one, two))
	s.record(epochRow, active(), changed(func(r *records.ChainEpoch) { r.Advance(2) }))
	marked := ref(one, two)
	marked.Mark(1)
	s.record(refRow, ref(one, two), marked)
	s.record(epochRow, changed(func(r *records.ChainEpoch) { r.Advance(2) }), changed(func(r *records.ChainEpoch) { r.Advance(2); r.Close(2) }))
	if found := s.found(); len(found) > 0 {
		t.Errorf("found %v in a life without fault", s.Violations())
	}
	if looks := s.Looks(); !slices.ContainsFunc(looks, func(c sim.Count) bool { return c.Name == "ack-durable" && c.Times == 2 }) {
		t.Errorf("looked at %v", looks)
	}
}

// TestPlanted breaks one rule at a time and expects the check that stands for it.
func TestPlanted(t *testing.T) {
	epochRow := keys.EpochRow("s", 1)
	cut := func(at uint64) *records.ChainEpoch {
		return changed(func(r *records.ChainEpoch) { r.Fence(); r.Publish(at) })
	}
	writer := func(epoch, clean uint64, star string) *records.Writer {
		return &records.Writer{Star: star, StreamEpoch: epoch, ChainEpoch: 1, CleanEpoch: clean}
	}
	cases := map[string]func(s *script){
		"epoch-cut":       func(s *script) { s.record(epochRow, cut(3), cut(4)) },
		"epoch-state":     func(s *script) { s.record(epochRow, cut(3), active()) },
		"epoch-constants": func(s *script) { s.record(epochRow, active(), changed(func(r *records.ChainEpoch) { r.Quorum = 1 })) },
		"epoch-cursors": func(s *script) {
			s.record(epochRow, changed(func(r *records.ChainEpoch) { r.Advance(2) }), active())
		},
		"chain-counter": func(s *script) {
			s.record(keys.ChainRow("s"), &records.Chain{Counter: 5}, &records.Chain{Counter: 4})
		},
		"rows-stay": func(s *script) { s.record(epochRow, active(), nil) },
		"rows-decode": func(s *script) {
			s.row(simmeta.Write{Space: simmeta.Records, Key: epochRow, New: &meta.Record{Value: []byte{7}}})
		},
		"stream-epoch": func(s *script) {
			s.record(keys.WriterRow("id"), writer(3, 0, "s"), writer(3, 0, "other"))
		},
		"token": func(s *script) {
			s.record(keys.ProducerRow("id"), &records.Producer{Token: 3}, &records.Producer{Token: 2})
		},
		"token/epoch": func(s *script) {
			s.record(keys.ProducerRow("id"), &records.Producer{Token: 3, StreamEpoch: 2}, &records.Producer{Token: 4, StreamEpoch: 1})
		},
		"slot-once": func(s *script) {
			key, object, _ := s.slot(0, 0, 1)
			s.object(1, simblob.Write{Key: key, Old: []byte("other"), New: object})
		},
		"slot-one-flight": func(s *script) {
			s.flies(0, 0, 1, 1)
			key, other, _ := s.slot(0, 0, 2)
			s.object(2, simblob.Write{Key: key, New: other})
		},
		"slot-intact": func(s *script) {
			s.object(1, simblob.Write{Key: keys.SlotObject("s", 1, 0), New: []byte("no flight")})
		},
		"slot-kept": func(s *script) {
			s.flies(0, 0, 1, 3)
			s.object(1, simblob.Write{Key: keys.SlotObject("s", 1, 0), Old: []byte{1}})
		},
		"ack-durable": func(s *script) {
			s.flies(0, 0, 1, 1)
			s.flies(1, 1, 1, 3) // behind a slot without its quorum
			s.ack(1, 1, 2)
		},
		"ack-below-cut": func(s *script) {
			s.flies(0, 0, 1, 3)
			s.ack(1, 0, 1)
			s.record(epochRow, active(), cut(0))
		},
		"refs-touch": func(s *script) {
			s.flies(0, 0, 1, 3)
			s.record(keys.RefRow("id", 1), nil, ref(s.flies(1, 1, 1, 3)))
		},
		"refs-truthful": func(s *script) {
			e := s.flies(0, 0, 1, 3)
			e.CRC++
			s.record(keys.RefRow("id", 0), nil, ref(e))
		},
		"refs-kept": func(s *script) {
			e, more := s.flies(0, 0, 1, 3), s.flies(1, 1, 1, 3)
			s.record(keys.RefRow("id", 0), nil, ref(e))
			s.record(keys.RefRow("id", 0), ref(e), ref(e, more))
		},
		"refs-anchor": func(s *script) {
			e := s.flies(0, 0, 1, 3)
			s.record(keys.RefRow("id", 0), nil, ref(e))
			s.record(keys.RefRow("id", 0), ref(e), nil)
		},
		"mark-covers": func(s *script) {
			s.flies(0, 0, 1, 3)
			s.ack(1, 0, 1)
			s.record(keys.WriterRow("id"), writer(1, 0, "s"), writer(1, 1, "s"))
		},
		"gate-covers": func(s *script) {
			s.flies(0, 0, 1, 3)
			s.ack(1, 0, 1)
			s.record(keys.WriterRow("id"), writer(1, 0, "s"), writer(2, 0, "other"))
		},
		"gate-covers/later": func(s *script) {
			s.flies(0, 0, 1, 3)
			s.record(keys.WriterRow("id"), writer(1, 0, "s"), writer(2, 0, "other"))
			s.ack(1, 0, 1)
		},
		"begins-alive": func(s *script) {
			p := s.world.Process("star-2")
			s.noted(p, "star serves", []any{"star", keys.StarID("s")})
			s.noted(p, "chain epoch ends", []any{"epoch", keys.Epoch(1)})
			s.noted(p, "leadership taken", []any{"id", keys.StreamID("id"), "chain", keys.Epoch(1)})
		},
		"checkpoint-covered": func(s *script) {
			s.flies(0, 0, 1, 3)
			s.record(epochRow, active(), changed(func(r *records.ChainEpoch) { r.Advance(1) }))
		},
		"coverage-seen": func(s *script) {
			e := s.flies(0, 0, 1, 3)
			s.record(keys.RefRow("id", 0), nil, ref(e))
			s.record(epochRow, cut(1), changed(func(r *records.ChainEpoch) { r.Fence(); r.Publish(1); r.Settle() }))
		},
	}
	names := make([]string, 0, len(cases))
	for name := range cases {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			s := newScript(t)
			cases[name](s)
			check, _, _ := strings.Cut(name, "/")
			if found := s.found(); !slices.Contains(found, check) {
				t.Fatalf("found %v", s.Violations())
			}
			for _, v := range s.Violations() {
				if strings.Contains(v.Sentence, "%!") || strings.ContainsAny(v.Sentence, "\n") {
					t.Errorf("no plain sentence: %q", v.Sentence)
				}
			}
		})
	}
}
