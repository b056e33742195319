package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// good is a history of two appends, one of them refused, and a read.
const good = `{"nova_history":1,"clock":"virtual","made_by":"hand"}
{"at":1,"invoke":"append","client":1,"op":1,"stream":"logs/app","hashes":["00000000000000ab"],"match":0}
{"at":4,"complete":"append","outcome":"ok","client":1,"op":1,"first":0,"next":1}
{"at":5,"invoke":"append","client":2,"op":1,"stream":"logs/app","hashes":["00000000000000cd"],"match":0}
{"at":6,"invoke":"read","client":3,"op":1,"stream":"logs/app","from":0,"linearizable":true}
{"at":8,"complete":"append","outcome":"failed","client":2,"op":1,"code":"match-failed","tail":1}
{"at":9,"complete":"read","outcome":"ok","client":3,"op":1,"first":0,"next":1,"hashes":["00000000000000ab"],"at_tail":true}
{"at":20,"final":"logs/app","first":0,"hashes":["00000000000000ab"]}
`

func write(t *testing.T, text string) string {
	name := filepath.Join(t.TempDir(), "history.jsonl")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCheck(t *testing.T) {
	lost := strings.Replace(good, `"first":0,"hashes":["00000000000000ab"]}`+"\n", `"first":0,"hashes":[]}`+"\n", 1)
	noFinal := good[:strings.Index(good, `{"at":20`)]
	for _, c := range []struct {
		name, text string
		code       int
		stdout     string
		stderr     string
	}{
		{"good", good, exitPassed, "PASSED", ""},
		{"lost append", lost, exitFailed, "lost-ack: stream logs/app: ", ""},
		{"no final contents", noFinal, exitUndecided, "undecided: stream logs/app", ""},
		{"torn last line", good + `{"at":21,"fin`, exitPassed, "PASSED", "is torn"},
		{"bad line", strings.Replace(good, `"ok"`, `"okay"`, 1), exitUsage, "", "history line 3: "},
		{"a completion without its invocation", strings.Replace(good, `"client":3,"op":1,"first"`, `"client":4,"op":1,"first"`, 1), exitUsage, "", "line 7"},
		{"another version", strings.Replace(good, `"nova_history":1`, `"nova_history":9`, 1), exitUsage, "", "line 1"},
		{"no history", "hello\n", exitUsage, "", "line 1"},
		{"empty", "", exitUsage, "", "the file is empty"},
	} {
		r := novasim("check", write(t, c.text))
		if r.code != c.code || !strings.Contains(r.stdout, c.stdout) || !strings.Contains(r.stderr, c.stderr) {
			t.Errorf("%s: exit code %d, want %d\n%s%s", c.name, r.code, c.code, r.stdout, r.stderr)
		}
	}
	bad, fine, open := write(t, lost), write(t, good), write(t, noFinal)
	novasim("check", fine, open, fine).want(t, exitUndecided)
	novasim("check", bad, open, fine).want(t, exitFailed, "PASSED", "FAILED", "UNDECIDED")
	novasim("check", "-max-ops", "0", fine).want(t, exitPassed, "porcupine    0 operations")
}
