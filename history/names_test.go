package history

import (
	"strings"
	"testing"
)

// TestClientsAreCalledByName sees that every sentence names a client by its number and its name.
func TestClientsAreCalledByName(t *testing.T) {
	log := &Log{}
	log.Invoke(Invoke{Client: 7, Op: 1, Kind: Append, Stream: "s", Hashes: []Hash{1}})
	log.Complete(Complete{Client: 7, Op: 1, Kind: Append, Outcome: OK, First: 0, Next: 1})
	log.Invoke(Invoke{Client: 8, Op: 1, Kind: Tail, Stream: "s"})
	log.Complete(Complete{Client: 8, Op: 1, Kind: Tail, Outcome: OK, Tail: 0})
	log.Final(Final{Stream: "s", Hashes: []Hash{1}})
	cfg := DefaultConfig()
	cfg.Names = func(c Client) string { return map[Client]string{7: "writer", 8: "reader"}[c] }
	result, err := Check(log, cfg)
	if err != nil || len(result.Violations) == 0 {
		t.Fatal(result, err)
	}
	const want = "tail 1 of client 8 (reader) answered tail 0, although append 1 of client 7 (writer) had been acknowledged up to seq 0"
	if text := result.Violations[0].Text; !strings.Contains(text, want) {
		t.Errorf("got %s", text)
	}
	for _, v := range result.Violations {
		if !strings.Contains(v.Text, "(reader)") {
			t.Errorf("a client without a name: %s", v.Text)
		}
	}
}

// TestLongNames sees that a sentence tells the start and the end of a long name, cut between characters.
func TestLongNames(t *testing.T) {
	long := "logs/" + strings.Repeat("ü", 200) + "/end"
	log := &Log{}
	log.Invoke(Invoke{Client: 1, Op: 1, Kind: Append, Stream: long, Hashes: []Hash{1}})
	log.Complete(Complete{Client: 1, Op: 1, Kind: Append, Outcome: OK, First: 0, Next: 1})
	log.Final(Final{Stream: long})
	result, err := Check(log, DefaultConfig())
	if err != nil || len(result.Violations) == 0 {
		t.Fatal(result, err)
	}
	want := "stream logs/" + strings.Repeat("ü", 37) + "…" + strings.Repeat("ü", 8) + "/end (409 bytes): "
	if v := result.Violations[0]; !strings.HasPrefix(v.Text, want) || v.Stream != long {
		t.Errorf("got %s of stream %s", v.Text, v.Stream)
	}
}
