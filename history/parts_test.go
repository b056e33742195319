package history

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestParts: streams that are judged in parts are judged as if all at once. Every seventh of them has lost what it acknowledged.
func TestParts(t *testing.T) {
	log, finals := &Log{}, []Final{}
	for i := range 50 {
		stream, client := fmt.Sprintf("s/%d", i), Client(i%5)
		appended := Invoke{At: int64(i), Client: client, Op: OpID(i + 1), Kind: Append, Stream: stream, Hashes: []Hash{Hash(i)}}
		log.Invoke(appended)
		log.Complete(Complete{At: int64(i), Client: client, Op: OpID(i + 1), Kind: Append, Outcome: OK, Next: 1})
		final := Final{At: 100, Stream: stream}
		if i%7 != 0 {
			final.Hashes = appended.Hashes
		}
		finals = append(finals, final)
	}
	for _, f := range finals {
		log.Final(f)
	}
	all := sorted(t, log, 0)
	if all.Found < 8 || all.Witness.Streams != 50 {
		t.Fatalf("not what was written: %s", all)
	}
	for _, parts := range []int{1, 3, 100} {
		if got := sorted(t, log, parts); !reflect.DeepEqual(got, all) {
			t.Errorf("in %d parts: %s\nat once: %s", parts, got, all)
		}
	}
}

// sorted checks in parts and puts the violations in an order of their own.
func sorted(t *testing.T, log *Log, parts int) Result {
	t.Helper()
	cfg := DefaultConfig()
	cfg.Parts = parts
	r, err := Check(log, cfg)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(r.Violations, func(a, b Violation) int { return strings.Compare(a.Text, b.Text) })
	return r
}
