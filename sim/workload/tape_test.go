package workload

import (
	"slices"
	"strings"
	"testing"

	"github.com/novastream/nova/core/keys"
	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// TestTape finds for each append of a history the open that it belongs to, which streams are fenced, and when what was asked.
func TestTape(t *testing.T) {
	log := &history.Log{}
	ask := func(at int64, client history.Client, op history.OpID, in history.Invoke, c history.Complete) {
		in.At, in.Client, in.Op = at, client, op
		c.At, c.Client, c.Op, c.Kind, c.Outcome = at+5, client, op, in.Kind, history.OK
		log.Invoke(in)
		log.Complete(c)
	}
	records := []history.Hash{1}
	ask(100, 1, 1, history.Invoke{Kind: history.Open, Stream: "a/fenced"}, history.Complete{Token: 7})
	ask(110, 1, 2, history.Invoke{Kind: history.Open, Stream: "a/fenced"}, history.Complete{Token: 8})
	ask(120, 1, 3, history.Invoke{Kind: history.Append, Stream: "a/fenced", Hashes: records, Token: 7}, history.Complete{Next: 1})
	ask(130, 1, 4, history.Invoke{Kind: history.Append, Stream: "a/fenced", Hashes: records, Token: 8}, history.Complete{First: 1, Next: 2})
	ask(140, 2, 1, history.Invoke{Kind: history.Append, Stream: "b/any", Hashes: records}, history.Complete{Next: 1})
	ask(150, 2, 2, history.Invoke{Kind: history.Tail, Stream: "b/any"}, history.Complete{Tail: 1})
	tape, err := NewTape(log)
	if err != nil {
		t.Fatal(err)
	}
	if tape.Operations() != 6 || tape.Streams() != 2 || tape.Length() != 55 {
		t.Errorf("%d operations on %d streams in %d ns", tape.Operations(), tape.Streams(), tape.Length())
	}
	for i, voice := range []int{1, 2, 1, 2, -3, 0} {
		if one := tape.ops[i]; one.voice != voice || one.at != int64(10*i) {
			t.Errorf("operation %d at %d is of producer %d, want %d", i, one.at, one.voice, voice)
		}
	}
	if tape.streams[0].Mode != peer.ModeFenced || tape.streams[1].Mode != peer.ModeAny || tape.streams[0].Class == tape.streams[1].Class {
		t.Errorf("streams %+v, %+v", tape.streams[0], tape.streams[1])
	}
	if _, err := NewTape(&history.Log{}); err == nil {
		t.Error("an empty history was taken")
	}
}

// TestTapeNames finds a key for every stream that a history may name: a bucket and a key are longer together than a key may be.
func TestTapeNames(t *testing.T) {
	long := "bucket/" + strings.Repeat("k", keys.MaxStreamKey)
	var all []string
	for _, name := range []string{"logs/app", long, long[:len(long)-1], "", "a\x00b", strings.Repeat("k", keys.MaxStreamKey)} {
		key := keyOf(name)
		if err := keys.CheckStreamKey(key); err != nil || slices.Contains(all, key) {
			t.Errorf("%q is asked for as %q: %v", name, key, err)
		}
		all = append(all, key)
	}
	if all[0] != "logs/app" {
		t.Errorf("a name that fits became %q", all[0])
	}
}
