package checks

import (
	"slices"
	"testing"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/core/records"
)

// TestWhereNothingLies: an acknowledgement of what no slot holds is told with the chain epoch and the star that should have it.
func TestWhereNothingLies(t *testing.T) {
	s := newScript(t)
	s.ack(1, 0, 1)
	s.record(keys.WriterRow("id"), nil, &records.Writer{StreamEpoch: 1, Star: "s", ChainEpoch: 1})
	s.ack(2, 1, 2)
	want := []string{
		"at 0s append 1 of client 1 on stream b/k was acknowledged at seq 0, but no slot holds them, and nobody has led the stream",
		"at 0s append 2 of client 1 on stream b/k was acknowledged at seq 1, but no slot holds them; the stream is led in chain epoch 1 of s, under its epoch 1",
	}
	for i, v := range s.Violations() {
		if v.Sentence != want[i] {
			t.Errorf("%q, want %q", v.Sentence, want[i])
		}
	}
}

// TestLies: where seqs of a stream lie is told for what was taken twice as well.
func TestLies(t *testing.T) {
	s := newScript(t)
	s.flies(0, 0, 3, 2)
	s.flies(1, 2, 3, 2)
	if told := s.Lies("b/k", 2, 3); told != "seq 2 is in slot 0 of chain epoch 1 of s, under stream epoch 1, and in slot 1 of chain epoch 1 of s, under stream epoch 1" {
		t.Error(told)
	}
	if told := s.Lies("b/k", 7, 9); told != "seqs 7 to 8 are in no slot" {
		t.Error(told)
	}
	if told := s.Lies("never/made", 0, 1); told != "seq 0 is in no slot" {
		t.Error(told)
	}
}

// TestSaid: a note names streams by their names, and slots and chain epochs in words; who explains the violation begins at these.
func TestSaid(t *testing.T) {
	s := newScript(t)
	said := s.said(nil, []any{"stream", keys.StreamID("id"), "window", "[0,1) in slot " + keys.SlotObject("s", 1, 4), "tail", keys.Seq(3)})
	if want := "stream b/k, window [0,1) in slot 4 of chain epoch 1 of s, tail 3"; said.String() != want {
		t.Errorf("%q, want %q", said, want)
	}
	if want := []any{"stream", "b/k", "epoch", "s/1", "slot", keys.Slot(4), "seqs", "3..3"}; !slices.Equal(said.kv, want) {
		t.Errorf("about %v, want %v", said.kv, want)
	}
	if said := s.said(nil, []any{"star", keys.StarID("s"), "epoch", keys.Epoch(1), "holds", keys.Slot(2)}); !slices.Equal(said.kv, []any{"epoch", "s/1", "slot", keys.Slot(2)}) {
		t.Errorf("about %v", said.kv)
	}
}

// TestConvergeNamesStreams: who leads what nobody needs any more is told with the streams.
func TestConvergeNamesStreams(t *testing.T) {
	s := newScript(t)
	s.record(keys.WriterRow("id"), nil, &records.Writer{StreamEpoch: 1, Star: "s", ChainEpoch: 1})
	if told := s.ledBy("s", "still leads %d streams", 1); told.text != "s still leads 1 streams: of those that were not released, b/k under epoch 1" {
		t.Error(told)
	}
	if told := s.ledBy("other", "still leads %d streams", 1); told.text != "other still leads 1 streams" || told.kv != nil {
		t.Error(told)
	}
}
