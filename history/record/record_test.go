package record

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

var stream = peer.StreamName{Bucket: "logs", Key: "app"}

// TestAsk numbers the operations of a client, and says whole what each asks for.
func TestAsk(t *testing.T) {
	match := uint64(7)
	seq := history.Seq(match)
	b := peer.Batch{Records: []peer.Record{{Body: []byte("a")}, {}}, MatchSeq: &match}
	c := NewClient(4)
	for i, step := range []struct{ in, want history.Invoke }{
		{Open(stream, 3), history.Invoke{Kind: history.Open, Token: 3}},
		{Append(stream, b, 3), history.Invoke{Kind: history.Append, Token: 3, Match: &seq, Hashes: HashesOf(b.Records)}},
		{Append(stream, peer.Batch{Records: b.Records}, 0), history.Invoke{Kind: history.Append, Hashes: HashesOf(b.Records)}},
		{Tail(stream), history.Invoke{Kind: history.Tail}},
		{Read(stream, 5, true), history.Invoke{Kind: history.Read, From: 5, Linearizable: true}},
	} {
		step.want.At, step.want.Client, step.want.Op, step.want.Stream = int64(10*i), 4, history.OpID(i+1), "logs/app"
		got, op := c.Ask(int64(10*i), step.in)
		if !reflect.DeepEqual(got, step.want) {
			t.Errorf("asked %+v, want %+v", got, step.want)
		}
		end := op.Ended(99, history.Complete{Outcome: history.OK})
		if end.At != 99 || end.Client != 4 || end.Op != got.Op || end.Kind != got.Kind || end.Outcome != history.OK {
			t.Errorf("%+v ended as %+v", got, end)
		}
	}
}

// TestAnswers says what is recorded of each answer.
func TestAnswers(t *testing.T) {
	records := []peer.Record{{Seq: 5, Body: []byte("a")}, {Seq: 6, Body: []byte("b")}}
	for _, c := range []struct {
		name      string
		got, want history.Complete
	}{
		{"an open", Opened(peer.Opened{Next: 9, Token: 3}), history.Complete{Tail: 9, Token: 3}},
		{"an append", Acked(peer.Ack{First: 2, Next: 4}), history.Complete{First: 2, Next: 4}},
		{"a tail", Told(8), history.Complete{Tail: 8}},
		{"a read", Got(peer.FetchReply{Records: records, Next: 7, AtTail: true}), history.Complete{First: 5, Next: 7, AtTail: true, Hashes: HashesOf(records)}},
		{"a read of nothing", Got(peer.FetchReply{Next: 7, AtTail: true}), history.Complete{First: 7, Next: 7, AtTail: true, Hashes: []history.Hash{}}},
		{
			"a read of what is no run", Got(peer.FetchReply{Records: []peer.Record{records[0], records[0]}, Next: 7}),
			history.Complete{First: ^history.Seq(0), Next: 7, Hashes: HashesOf([]peer.Record{records[0], records[0]})},
		},
	} {
		c.want.Outcome = history.OK
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, c.got, c.want)
		}
	}
}

// TestRefusals says what is recorded for each way in which an operation fails.
func TestRefusals(t *testing.T) {
	batch := peer.Batch{Records: make([]peer.Record, 1)}
	match := uint64(3)
	plain, open, read := Append(stream, batch, 0), Open(stream, 0), Read(stream, 0, true)
	conditional := Append(stream, peer.Batch{Records: batch.Records, MatchSeq: &match}, 0)
	failed := func(c history.Complete) history.Complete { c.Outcome = history.Failed; return c }
	for _, c := range []struct {
		name string
		in   history.Invoke
		err  error
		want history.Complete
	}{
		{"definite", plain, &peer.Error{Code: peer.NotAppended}, failed(history.Complete{Code: "not-appended"})},
		{"definite, in another error", plain, fmt.Errorf("append: %w", &peer.Error{Code: peer.Retry}), failed(history.Complete{Code: "retry"})},
		{"nobody knows", plain, &peer.Error{Code: peer.Indeterminate}, Unknown(peer.Indeterminate)},
		{"a defect", plain, &peer.Error{Code: peer.Internal}, Unknown(peer.Internal)},
		{"a deadline", plain, context.DeadlineExceeded, Unknown(peer.Internal)},
		{"something else", plain, errors.New("odd"), Unknown(peer.Internal)},
		{"a fenced append", plain, &peer.Error{Code: peer.Fenced, Token: 7}, failed(history.Complete{Code: history.Fenced, Token: 7})},
		{"a fenced open", open, &peer.Error{Code: peer.Fenced, Token: 7}, failed(history.Complete{Code: history.Fenced, Token: 7})},
		{"a fenced read", read, &peer.Error{Code: peer.Fenced, Token: 7}, failed(history.Complete{Code: "refused"})},
		{"no match", conditional, &peer.Error{Code: peer.MatchFailed, Tail: 5}, failed(history.Complete{Code: history.MatchFailed, Tail: 5})},
		{"the client's own match", plain, &peer.Error{Code: peer.MatchFailed, Tail: 5}, failed(history.Complete{Code: "expected-elsewhere"})},
	} {
		client := NewClient(1)
		_, op := client.Ask(0, c.in)
		if got := op.Refused(c.err); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestNotTaken fails definitely whatever the error says, and keeps the token of a newer producer.
func TestNotTaken(t *testing.T) {
	client := NewClient(1)
	_, op := client.Ask(0, Append(stream, peer.Batch{Records: make([]peer.Record, 1)}, 2))
	for _, c := range []struct {
		err  error
		want history.Complete
	}{
		{context.DeadlineExceeded, history.Complete{Outcome: history.Failed, Code: "not-taken"}},
		{&peer.Error{Code: peer.Indeterminate}, history.Complete{Outcome: history.Failed, Code: "not-taken"}},
		{&peer.Error{Code: peer.Fenced, Token: 9}, history.Complete{Outcome: history.Failed, Code: history.Fenced, Token: 9}},
	} {
		if got := op.NotTaken(c.err); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %+v, want %+v", c.err, got, c.want)
		}
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
