package workload

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/novastream/nova/core/client"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/sim"
)

// only tells what became of one operation.
type only struct{ done history.Complete }

func (o *only) Invoke(history.Invoke)       {}
func (o *only) Complete(e history.Complete) { o.done = e }
func (o *only) Final(history.Final)         {}

// TestRefusals says what is recorded for each way in which a call fails.
func TestRefusals(t *testing.T) {
	w := sim.New(sim.Config{})
	defer w.Close()
	stream := streamAt(1)
	match := uint64(3)
	plain, conditional := peer.Batch{Records: make([]peer.Record, 1)}, peer.Batch{Records: make([]peer.Record, 1), MatchSeq: &match}
	for _, c := range []struct {
		name  string
		batch peer.Batch
		err   error
		want  history.Complete
	}{
		{"definite", plain, &peer.Error{Code: peer.NotAppended}, history.Complete{Outcome: history.Failed, Code: "not-appended"}},
		{"nobody knows", plain, &peer.Error{Code: peer.Indeterminate}, history.Complete{Outcome: history.Unknown, Code: "indeterminate"}},
		{"a defect", plain, &peer.Error{Code: peer.Internal}, history.Complete{Outcome: history.Unknown, Code: "internal"}},
		{"a deadline", plain, context.DeadlineExceeded, history.Complete{Outcome: history.Unknown, Code: "internal"}},
		{"fenced", plain, &peer.Error{Code: peer.Fenced, Token: 7}, history.Complete{Outcome: history.Failed, Code: history.Fenced, Token: 7}},
		{"no match", conditional, &peer.Error{Code: peer.MatchFailed, Tail: 5}, history.Complete{Outcome: history.Failed, Code: history.MatchFailed, Tail: 5}},
		{"the client's own match", plain, &peer.Error{Code: peer.MatchFailed, Tail: 5}, history.Complete{Outcome: history.Failed, Code: "expected-elsewhere"}},
		{
			"given up", plain, &client.UnfinishedError{Context: context.DeadlineExceeded, Last: &peer.Error{Code: peer.Retry}},
			history.Complete{Outcome: history.Failed, Code: "retry"},
		},
		{"something else", plain, errors.New("odd"), history.Complete{Outcome: history.Unknown, Code: "internal"}},
	} {
		told := &only{}
		j := newJournal(w, told)
		j.Hand().Append(stream, c.batch, 0).Refused(c.err)
		c.want.Client, c.want.Op, c.want.Kind = 1, 1, history.Append
		if !same(told.done, c.want) {
			t.Errorf("%s: recorded %+v, want %+v", c.name, told.done, c.want)
		}
	}
}

func same(a, b history.Complete) bool {
	return a.Client == b.Client && a.Op == b.Op && a.Kind == b.Kind && a.Outcome == b.Outcome && a.Code == b.Code && a.Tail == b.Tail && a.Token == b.Token
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
		hashes := HashesOf(records)
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

// TestHashOf tells apart what differs only in headers, and in where one ends.
func TestHashOf(t *testing.T) {
	header := func(name, value string) []peer.Header {
		return []peer.Header{{Name: []byte(name), Value: []byte(value)}}
	}
	all := HashesOf([]peer.Record{
		{}, {Body: []byte("a")}, {Headers: header("a", "")}, {Headers: header("", "a")}, {Headers: header("a", "b")},
		{Headers: header("ab", "")}, {Headers: header("a", ""), Body: []byte("b")}, {Headers: append(header("a", ""), header("b", "")...)},
	})
	for i, h := range all {
		if slices.Contains(all[:i], h) {
			t.Errorf("record %d has the hash of another", i)
		}
	}
}
