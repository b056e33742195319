package workload

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/history/record"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
)

// only tells what became of one operation.
type only struct{ done history.Complete }

func (o *only) Invoke(history.Invoke)       {}
func (o *only) Complete(e history.Complete) { o.done = e }
func (o *only) Final(history.Final)         {}

// TestRefusals records and counts operations that failed, among them one that the client gave up: its last answer counts.
func TestRefusals(t *testing.T) {
	w := sim.New(sim.Config{})
	defer w.Close()
	told := &only{}
	j := newJournal(w, told)
	batch := peer.Batch{Records: make([]peer.Record, 1)}
	for i, c := range []struct {
		end  func(Op)
		want history.Complete
	}{
		{
			func(o Op) {
				o.Refused(&client.UnfinishedError{Context: context.DeadlineExceeded, Last: &peer.Error{Code: peer.Retry}})
			},
			history.Complete{Outcome: history.Failed, Code: "retry"},
		},
		{func(o Op) { o.Refused(errors.New("odd")) }, history.Complete{Outcome: history.Unknown, Code: "internal"}},
		{func(o Op) { o.NotTaken(errors.New("odd")) }, history.Complete{Outcome: history.Failed, Code: "not-taken"}},
	} {
		c.end(j.Hand().Append(streamAt(1), batch, 0))
		c.want.Client, c.want.Op, c.want.Kind = history.Client(i+1), 1, history.Append
		if !reflect.DeepEqual(told.done, c.want) {
			t.Errorf("recorded %+v, want %+v", told.done, c.want)
		}
	}
	if got, want := fmt.Sprint(j.Ops()), "[{append failed not-taken 1} {append failed retry 1} {append unknown internal 1}]"; got != want || j.Asked() != 3 {
		t.Errorf("counted %s of %d, want %s", got, j.Asked(), want)
	}
}

// TestBodies makes many batches: each first record is unlike all others, and empty ones and large ones come up.
func TestBodies(t *testing.T) {
	w := sim.New(sim.Config{Seed: 1})
	defer w.Close()
	rng := w.Rand("test")
	b := newBodies(rng)
	seen := map[history.Hash]bool{}
	empty, large := 0, 0
	for range 5000 {
		records := b.batch(rng)
		hashes := record.HashesOf(records)
		if seen[hashes[0]] {
			t.Fatalf("two batches begin with the same contents")
		}
		seen[hashes[0]] = true
		for _, r := range records {
			switch {
			case len(r.Body) == 0 && len(r.Headers) == 0:
				empty++
			case len(r.Body) > 512<<10:
				large++
			}
			if len(r.Body) > maxRecord {
				t.Fatalf("a record of %d bytes", len(r.Body))
			}
		}
	}
	if empty == 0 || large == 0 {
		t.Errorf("%d empty records, %d large ones", empty, large)
	}
}
