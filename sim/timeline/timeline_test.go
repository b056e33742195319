package timeline_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/sim"
	"github.com/novastream/nova/sim/timeline"
)

var update = flag.Bool("update", false, "write the golden files anew")

// story is a trace in which a star is held, another one fences it and poisons its slot, and it acknowledges beyond the cut all the
// same. A trace has the events that the core, the simulator and the observer of a run write.
func story() *timeline.Collector {
	c := &timeline.Collector{}
	number := uint64(0)
	last := map[string]uint64{} // event of a task
	tell := func(ms int, where, what string, by uint64, kv ...any) uint64 {
		number++
		cause := sim.Cause{Event: number, By: by}
		if strings.HasPrefix(where, "star") || strings.HasPrefix(where, "client") {
			cause.Before, cause.Task, cause.TaskID = last[where], "task", uint64(len(where))
			last[where] = number
		}
		c.Caused(cause)
		c.Event(time.Duration(ms)*time.Millisecond, where, what, kv)
		return number
	}
	epoch := []any{"epoch", "star-aa/1", "at", "star-1", "class", "express", "quorum", 2, "checkpoint", 0, "trimmed", 0}
	tell(0, "star-1", "start", 0, "boot", 1)
	tell(0, "star-2", "start", 0, "boot", 1)
	tell(0, "client-1", "start", 0, "boot", 1)
	tell(1, "star-1", "star serves", 0, "star", "star-aa")
	tell(1, "star-2", "star serves", 0, "star", "star-bb")
	tell(2, "meta", "meta.write", 4, "space", "records", "key", "chains/star-aa/1", "version", 1, "by", "star-1")
	tell(2, "meta", "chain.epoch", number, append(epoch, "state", "active", "cut", "none", "by", "star-1")...)
	tell(3, "star-1", "leadership taken", 0, "stream", "a/b", "id", "xyz", "epoch", 1, "chain", 1, "tail", 0)
	ask := tell(10, "client-1", "ask", 0, "kind", "append", "op", "1/1", "stream", "a/b", "records", 1)
	put := tell(11, "star-1", "step", ask, "name", "append.put")
	tell(12, "star-1", "pause", 0, "boot", 1)
	read := tell(20, "star-2", "meta.get", 0, "at", "meta", "key", "chains/star-aa/1", "took", "1ms", "error", "none")
	tell(20, "star-2", "step", read, "name", "fence.row")
	row := tell(21, "meta", "meta.write", number, "space", "records", "key", "chains/star-aa/1", "version", 2, "by", "star-2")
	tell(21, "meta", "chain.epoch", row, append(epoch, "state", "fenced", "cut", 0, "by", "star-2")...)
	tell(22, "zone-b", "blob.write", row, "key", "chains/star-aa/1/0", "size", 9, "by", "star-2")
	tell(22, "zone-b", "slot.poison", number, "epoch", "star-aa/1", "slot", 0, "by", "star-2")
	tell(30, "star-1", "resume", 0, "boot", 1)
	for _, zone := range []string{"zone-a", "zone-c"} {
		tell(31, zone, "blob.write", put, "key", "chains/star-aa/1/0", "size", 99, "by", "star-1")
		tell(31, zone, "slot.flight", number, "epoch", "star-aa/1", "slot", 0, "by", "star-1", "stream", "a/b", "seqs", "0..0", "under", 1)
	}
	tell(32, "client-1", "told", number, "kind", "append", "op", "1/1", "outcome", "ok", "seqs", "0..0")
	tell(32, "", "violation", number, "check", "ack-durable", "sentence", "it lies beyond the cut", "op", "1/1", "stream", "a/b", "epoch", "star-aa/1", "slot", 0)
	tell(40, "star-2", "step", 0, "name", "of.no.interest")
	tell(41, "star-2", "kill", 0, "boot", 1)
	return c
}

func run() timeline.Run {
	return timeline.Run{
		Title: "a story", Verdict: "failed", Facts: []timeline.Fact{{Name: "seed", Text: "7"}},
		Violations: []timeline.Violation{{Check: "ack-durable", Sentence: "it lies beyond the cut"}},
	}
}

// golden compares with a file under testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; go test ./sim/timeline -update writes it anew. Got:\n%s", file, got)
	}
}

// TestSlice sees that a slice has what led to the violation, and nothing that happened beside or after it.
func TestSlice(t *testing.T) {
	var text bytes.Buffer
	if err := timeline.Explain(story().Events()).Write(&text); err != nil {
		t.Fatal(err)
	}
	golden(t, "slice.txt", text.Bytes())
	if strings.Contains(text.String(), "of.no.interest") {
		t.Error("what came after the violation did not lead to it")
	}
	if timeline.Explain(story().Events()[:10]) != nil {
		t.Error("a trace without a violation has nothing to explain")
	}
}

// TestPage sees what is on the page of the story: lanes, items, bands, slots and their fates.
func TestPage(t *testing.T) {
	text, err := json.MarshalIndent(timeline.FromTrace(run(), story()), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "page.json", append(text, '\n'))
}

func write(t *testing.T, p *timeline.Page) string {
	t.Helper()
	var page bytes.Buffer
	if err := p.Write(&page); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// TestOneFile sees that a page is the same each time, and that nothing in it is fetched.
func TestOneFile(t *testing.T) {
	page := write(t, timeline.FromTrace(run(), story()))
	for range 5 {
		if write(t, timeline.FromTrace(run(), story())) != page {
			t.Fatal("the page differs from one time to the next")
		}
	}
	for _, fetches := range []string{`https?://`, `src\s*=`, `@import`, `url\(`, `fetch\(`, `XMLHttpRequest`, `import\(`} {
		if found := regexp.MustCompile(fetches).FindString(page); found != "" {
			t.Errorf("the page has %q", found)
		}
	}
	if !strings.Contains(page, `default-src 'none'`) {
		t.Error("the page does not forbid itself the network")
	}
}

// TestHostileNames sees that no text of a run becomes markup.
func TestHostileNames(t *testing.T) {
	const evil = `</script><img src=x onerror=alert(1)>{{data}}"'&` + "\u2028"
	c := story()
	c.Caused(sim.Cause{Event: 100})
	c.Event(time.Second, evil, "start", []any{"boot", evil})
	c.Event(time.Second, evil, evil, []any{evil, evil})
	r := run()
	r.Title = evil
	r.Violations = append(r.Violations, timeline.Violation{Check: evil, Sentence: evil, Detail: evil})
	r.Of, r.Porcupine = evil, []byte("<script>"+evil)
	page := write(t, timeline.FromTrace(r, c))
	if strings.Contains(page, "<img") || strings.Count(page, "</script>") != 2 {
		t.Error("a name became markup")
	}
	var data timeline.Page
	_, rest, _ := strings.Cut(page, `id="data">`)
	text, _, _ := strings.Cut(rest, "</script>")
	if err := json.Unmarshal([]byte(text), &data); err != nil || data.Title != evil || data.Violations[1].Sentence != evil {
		t.Errorf("the names did not come through: %v", err)
	}
}

// TestHistory sees the page of a history: its operations, and those that a violation is about.
func TestHistory(t *testing.T) {
	log := &history.Log{}
	log.Invoke(history.Invoke{At: 1000, Client: 7, Op: 1, Kind: history.Append, Stream: "a/b", Hashes: []history.Hash{1}})
	log.Complete(history.Complete{At: 2000, Client: 7, Op: 1, Kind: history.Append, Outcome: history.OK, First: 0, Next: 1})
	log.Invoke(history.Invoke{At: 3000, Client: 8, Op: 1, Kind: history.Tail, Stream: "a/b"})
	log.Complete(history.Complete{At: 4000, Client: 8, Op: 1, Kind: history.Tail, Outcome: history.OK, Tail: 0})
	log.Final(history.Final{At: 9000, Stream: "a/b", Hashes: []history.Hash{1}})
	result, err := history.Check(log, history.DefaultConfig())
	if err != nil || len(result.Violations) == 0 {
		t.Fatal(result, err)
	}
	r := timeline.Run{Title: "a history", Verdict: "failed"}
	for _, v := range result.Violations {
		r.Violations = append(r.Violations, timeline.Violation{Check: string(v.Rule), Sentence: v.Text})
	}
	page, err := timeline.FromHistory(r, log, result)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(page, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "history.json", append(text, '\n'))
}
