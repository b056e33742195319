package s2verify

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/novastream/nova/history"
)

// TestFold holds the vectors that the format's own implementations share, as far as they follow from its definition: the
// empty stream is 0, and each record is hashed with the fold before it as the seed.
func TestFold(t *testing.T) {
	one := fold(0, 1)
	if fold(0) != 0 || one == 0 || fold(one, 2) != fold(0, 1, 2) || fold(0, 2, 1) == fold(0, 1, 2) {
		t.Error("the fold is not one from left to right")
	}
}

// file is a history in which everything occurs: plain, conditional and fenced appends, failures of each kind, an append of
// unknown outcome that happened and one that did not, reads and checks of the tail.
func file(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/all.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func readLog(t *testing.T, text string) (*history.Log, Left) {
	t.Helper()
	log := &history.Log{}
	left, err := Read(strings.NewReader(text), "s2/stream", log)
	if err != nil {
		t.Fatal(err)
	}
	return log, left
}

func judged(t *testing.T, source history.Source) history.Result {
	t.Helper()
	r, err := history.Check(source, history.DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestReadAndJudge reads a file and finds it linearizable, and then not, with one answer changed.
func TestReadAndJudge(t *testing.T) {
	log, left := readLog(t, file(t))
	if r := judged(t, log); !r.OK() || r.Witness.Ops() < 8 {
		t.Errorf("%s", r)
	}
	if left.Tokens != 2 || left.Unresolved != 0 {
		t.Errorf("left out: %+v", left)
	}
	for name, change := range map[string][2]string{
		"a stale tail":       {`{"CheckTailSuccess":{"tail":4}}`, `{"CheckTailSuccess":{"tail":2}}`},
		"a wrong record":     {`"stream_hash":`, `"stream_hash":1`},
		"two at one seq":     {`{"AppendSuccess":{"tail":4}}`, `{"AppendSuccess":{"tail":2}}`},
		"an unmet condition": {`"match_seq_num":2`, `"match_seq_num":1`},
	} {
		log, _ := readLog(t, strings.Replace(file(t), change[0], change[1], 1))
		if r := judged(t, log); len(r.Violations) == 0 {
			t.Errorf("%s: %s", name, r)
		}
	}
}

// TestThereAndBack writes what was read, and finds the same lines with the final contents as one more read.
func TestThereAndBack(t *testing.T) {
	text := strings.NewReplacer(`"fencing_token":"a"`, `"fencing_token":null`).Replace(file(t))
	text = strings.ReplaceAll(text, `"set_fencing_token":"a"`, `"set_fencing_token":null`)
	log, _ := readLog(t, text)
	var back bytes.Buffer
	if _, err := Write(&back, log, ""); err != nil {
		t.Fatal(err)
	}
	text = strings.Replace(text, `{"event":{"Finish":"AppendIndefiniteFailure"},"client_id":1,"op_id":7}`,
		`{"event":{"Finish":{"AppendSuccess":{"tail":6}}},"client_id":1,"op_id":7}`, 1) // it was found to stand there
	if !strings.HasPrefix(back.String(), text) || strings.Count(back.String(), "\n") != strings.Count(text, "\n")+2 {
		t.Errorf("got\n%swant\n%s", back.String(), text)
	}
	again, _ := readLog(t, back.String())
	if r := judged(t, again); !r.OK() {
		t.Errorf("%s", r)
	}
}

// TestBackAndThere writes random histories of several clients and reads them: the answers of appends and tails are the same.
func TestBackAndThere(t *testing.T) {
	for seed := range uint64(50) {
		log := random(seed)
		if r := judged(t, log); !r.OK() {
			t.Fatalf("seed %d: %s", seed, r)
		}
		var out bytes.Buffer
		if _, err := Write(&out, log, ""); err != nil {
			t.Fatal(err)
		}
		back, left := readLog(t, out.String())
		if r := judged(t, back); !r.OK() || left.Unresolved > 0 {
			t.Errorf("seed %d: %s, left out %+v\n%s", seed, r, left, out.String())
		}
		a, end := outcomes(log)
		b, endOfBack := outcomes(back)
		if !strings.HasPrefix(b, a) || end != endOfBack { // behind them are appends that were found in the final contents
			t.Errorf("seed %d: appends, tails and contents were\n%s%s\nand are\n%s%s", seed, a, end, b, endOfBack)
		}
	}
}

// outcomes are the answers of appends and tails in order, and how long the final contents are.
func outcomes(log *history.Log) (answers, end string) {
	var text strings.Builder
	for e := range log.Events() {
		switch e := e.(type) {
		case history.Complete:
			if e.Outcome == history.OK && e.Kind == history.Append {
				text.WriteString(" a" + num(e.First) + "-" + num(e.Next))
			}
			if e.Outcome == history.OK && e.Kind == history.Tail {
				text.WriteString(" t" + num(e.Tail))
			}
		case history.Final:
			end = num(history.Seq(len(e.Hashes)))
		}
	}
	return text.String(), end
}

// random is a linearizable history: operations take effect when they end; of unknown ones some do.
func random(seed uint64) *history.Log {
	rng := rand.New(rand.NewPCG(seed, 1))
	log, contents, hashes := &history.Log{}, []history.Hash{}, history.Hash(0)
	const clients = 3
	open := [clients]*history.Invoke{}
	dead := [clients]bool{}
	for n := range 60 {
		c := rng.IntN(clients)
		if dead[c] && open[c] == nil {
			continue
		}
		if open[c] == nil {
			in := history.Invoke{At: int64(n), Client: history.Client(c), Op: history.OpID(n + 1), Stream: "logs/app"}
			switch rng.IntN(4) {
			case 0:
				in.Kind = history.Tail
			case 1:
				in.Kind, in.Linearizable = history.Read, true
			default:
				in.Kind = history.Append
				for range 1 + rng.IntN(3) {
					hashes++
					in.Hashes = append(in.Hashes, hashes)
				}
			}
			open[c] = &in
			log.Invoke(in)
			continue
		}
		in := *open[c]
		open[c] = nil
		done := history.Complete{At: int64(n), Client: in.Client, Op: in.Op, Kind: in.Kind, Outcome: history.OK}
		happens := true
		if in.Kind == history.Append && rng.IntN(5) == 0 {
			done.Outcome, done.Code, happens = history.Unknown, "indeterminate", rng.IntN(2) == 0
		}
		switch {
		case in.Kind == history.Append && happens:
			first := history.Seq(len(contents))
			contents = append(contents, in.Hashes...)
			if done.Outcome == history.OK {
				done.First, done.Next = first, history.Seq(len(contents))
			}
		case in.Kind == history.Tail:
			done.Tail = history.Seq(len(contents))
		case in.Kind == history.Read:
			done.Next, done.AtTail = history.Seq(len(contents)), true
			done.Hashes = append(done.Hashes, contents...)
		}
		log.Complete(done)
	}
	log.Final(history.Final{At: 100, Stream: "logs/app", Hashes: contents})
	return log
}

// TestOneStream wants a stream to be named where there are several.
func TestOneStream(t *testing.T) {
	log := random(1)
	log2 := &history.Log{}
	for e := range log.Events() {
		if in, ok := e.(history.Invoke); ok {
			log2.Invoke(in)
		}
	}
	log2.Invoke(history.Invoke{Client: 9, Op: 1, Kind: history.Tail, Stream: "logs/other"})
	var many *StreamError
	if _, err := Write(&bytes.Buffer{}, log2, ""); !errors.As(err, &many) || len(many.Streams) != 2 {
		t.Error(err)
	}
	if _, err := Write(&bytes.Buffer{}, log2, "logs/other"); err != nil {
		t.Error(err)
	}
	if _, err := Write(&bytes.Buffer{}, log2, "logs/none"); err == nil {
		t.Error("a stream that is not there was written")
	}
}

// TestDamaged names the line that is wrong.
func TestDamaged(t *testing.T) {
	for name, text := range map[string]string{
		"no json":      "{",
		"neither":      `{"event":{},"client_id":1,"op_id":1}`,
		"unknown":      `{"event":{"Start":"Trim"},"client_id":1,"op_id":1}`,
		"hashes":       `{"event":{"Start":{"Append":{"num_records":2,"record_hashes":[1],"set_fencing_token":null,"fencing_token":null,"match_seq_num":null}}},"client_id":1,"op_id":1}`,
		"end first":    `{"event":{"Finish":"ReadFailure"},"client_id":1,"op_id":1}`,
		"another kind": `{"event":{"Start":"Read"},"client_id":1,"op_id":1}` + "\n" + `{"event":{"Finish":"CheckTailFailure"},"client_id":1,"op_id":1}`,
		"twice":        `{"event":{"Start":"Read"},"client_id":1,"op_id":1}` + "\n" + `{"event":{"Start":"Read"},"client_id":1,"op_id":1}`,
	} {
		var bad *LineError
		if _, err := Read(strings.NewReader(text), "a/b", &history.Log{}); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func num(n history.Seq) string { return strconv.FormatUint(uint64(n), 10) }
