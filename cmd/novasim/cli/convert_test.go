package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConvert takes a history of a run to the other format and back: both are judged to be linearizable.
func TestConvert(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	run := func(code int, args ...string) (string, string) {
		t.Helper()
		r := novasim(args...)
		r.want(t, code)
		return r.stdout, r.stderr
	}
	run(0, "-seed", "3", "-duration", "20s", "-streams", "2", "-history", file("run.jsonl"))
	if _, stderr := run(2, "convert", file("run.jsonl")); !strings.Contains(stderr, "-stream all/standard/any/0") {
		t.Errorf("several streams: %s", stderr)
	}
	_, stderr := run(0, "convert", "-stream", "all/standard/any/0", "-out", file("s2.jsonl"), file("run.jsonl"))
	if !strings.Contains(stderr, "reads were left out") {
		t.Errorf("nothing was told of what was left out: %s", stderr)
	}
	back, _ := run(0, "convert", "-stream", "logs/app", file("s2.jsonl"))
	if err := os.WriteFile(file("back.jsonl"), []byte(back), 0o666); err != nil {
		t.Fatal(err)
	}
	if stdout, _ := run(0, "check", file("back.jsonl")); !strings.Contains(stdout, "PASSED") {
		t.Errorf("check said %s", stdout)
	}
	if err := os.WriteFile(file("none.jsonl"), []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	run(2, "convert", file("none.jsonl"))
	empty := write(t, `{"nova_history":1,"clock":"virtual"}`+"\n")
	if _, stderr := run(2, "convert", empty); !strings.Contains(stderr, "no operation") {
		t.Errorf("an empty history: %s", stderr)
	}
	if _, stderr := run(2, "convert", write(t, "")); !strings.Contains(stderr, "the file is empty") {
		t.Errorf("an empty file: %s", stderr)
	}
	if dashed, _ := run(0, "convert", "-stream", "logs/app", "-out", "-", file("s2.jsonl")); dashed != back {
		t.Errorf("-out - wrote to stdout %q", dashed)
	}
	if _, stderr := run(2, "convert", "-stream", "x", file("back.jsonl")); !strings.Contains(stderr, `no stream "x"; it has "logs/app"`) {
		t.Errorf("a stream that is not there: %s", stderr)
	}
	run(2, "convert")
}
