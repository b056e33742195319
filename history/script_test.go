package history

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestScripts runs the histories of testdata: one event a line, the client first.
//
//	1 append a b [match=5] [token=3]     1 acked 0            1 refused tail=4    1 fenced token=9
//	2 read 0 [lin]                       2 got 0 a b [tail]
//	2 tail                               2 answered 3
//	3 open [token=5]                     3 opened tail=3 [token=5]
//	1 failed                             1 unknown
//	final a b
//
// The argument skip-porcupine leaves the porcupine check out; steps and ops bound it.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/scripts", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			log, err := parseScript(d.Input)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			cfg := DefaultConfig()
			d.MaybeScanArgs(t, "ops", &cfg.MaxOps)
			d.MaybeScanArgs(t, "steps", &cfg.MaxSteps)
			if d.HasArg("skip-porcupine") {
				cfg.MaxOps = 0
			}
			result, err := Check(log, cfg)
			if err != nil {
				return "error: " + err.Error()
			}
			return describe(result)
		})
	})
}

func describe(r Result) string {
	lines := []string{fmt.Sprintf("%s: %d operations by witness, %d by porcupine", r.Verdict(), r.Witness.Ops(), r.Porcupine.Ops())}
	for _, v := range r.Violations {
		lines = append(lines, fmt.Sprintf("%s: %s", v.Rule, v.Text))
	}
	for _, u := range r.Undecided {
		lines = append(lines, "undecided: "+u.Text)
	}
	return strings.Join(lines, "\n") + "\n"
}

// script builds a Log. Operation ids are per client, from 1; a client has one operation open at a time.
type script struct {
	log  Log
	at   int64
	open map[Client]Invoke
	ids  map[Client]OpID
}

func parseScript(text string) (*Log, error) {
	s := &script{open: map[Client]Invoke{}, ids: map[Client]OpID{}}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if err := s.line(words); err != nil {
			return nil, fmt.Errorf("script line %q: %w", strings.TrimSpace(line), err)
		}
	}
	return &s.log, nil
}

const scriptStream = "logs/app"

func (s *script) line(words []string) error {
	s.at++
	plain, named, err := split(words)
	if err != nil {
		return err
	}
	if words[0] == "final" {
		s.log.Final(Final{At: s.at, Stream: scriptStream, Hashes: hashes(plain[1:])})
		return nil
	}
	n, err := strconv.Atoi(words[0])
	if err != nil {
		return err
	}
	client, verb, rest := Client(n), plain[1], plain[2:]
	in := Invoke{At: s.at, Client: client, Op: s.ids[client] + 1, Stream: scriptStream, Token: Token(named["token"])}
	switch verb {
	case "append":
		in.Kind, in.Hashes = Append, hashes(rest)
		if m, ok := named["match"]; ok {
			match := Seq(m)
			in.Match = &match
		}
	case "read":
		from, _ := strconv.Atoi(rest[0])
		in.Kind, in.From, in.Linearizable = Read, Seq(from), len(rest) > 1 && rest[1] == "lin"
	case "tail":
		in.Kind = Tail
	case "open":
		in.Kind = Open
	default:
		return s.complete(client, verb, rest, named)
	}
	s.open[client] = in
	s.ids[client]++
	s.log.Invoke(in)
	return nil
}

func (s *script) complete(client Client, verb string, rest []string, named map[string]int) error {
	in := s.open[client]
	c := Complete{At: s.at, Client: client, Op: in.Op, Kind: in.Kind, Outcome: OK, Tail: Seq(named["tail"]), Token: Token(named["token"])}
	first := 0
	if len(rest) > 0 {
		first, _ = strconv.Atoi(rest[0])
	}
	switch verb {
	case "acked":
		c.First, c.Next = Seq(first), Seq(first+len(in.Hashes))
		if n, ok := named["next"]; ok {
			c.Next = Seq(n)
		}
	case "got":
		words := rest[1:]
		if n := len(words); n > 0 && words[n-1] == "tail" {
			words, c.AtTail = words[:n-1], true
		}
		c.First, c.Hashes = Seq(first), hashes(words)
		c.Next = c.First + Seq(len(c.Hashes))
	case "answered":
		c.Tail = Seq(first)
	case "opened":
	case "refused":
		c.Outcome, c.Code = Failed, MatchFailed
	case "fenced":
		c.Outcome, c.Code = Failed, Fenced
	case "failed":
		c.Outcome, c.Code = Failed, "shed"
	case "unknown":
		c.Outcome, c.Code = Unknown, "indeterminate"
	default:
		return fmt.Errorf("unknown verb %q", verb)
	}
	s.log.Complete(c)
	return nil
}

func split(words []string) (plain []string, named map[string]int, err error) {
	named = map[string]int{}
	for _, w := range words {
		name, value, ok := strings.Cut(w, "=")
		if !ok {
			plain = append(plain, w)
			continue
		}
		if named[name], err = strconv.Atoi(value); err != nil {
			return nil, nil, err
		}
	}
	return plain, named, nil
}

func hashes(words []string) []Hash {
	out := make([]Hash, len(words))
	for i, w := range words {
		h := fnv.New64a()
		h.Write([]byte(w))
		out[i] = Hash(h.Sum64())
	}
	return out
}
