package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// failing are the flags of a run that fails soon.
func failing(args ...string) []string {
	return small(append([]string{"-bug", "ack-before-quorum", "-faults", "none"}, args...)...)
}

// TestExplain sees that a failure is told with what led to it, drawn on one page, and that its artifact has both.
func TestExplain(t *testing.T) {
	dir := t.TempDir()
	page, out := filepath.Join(dir, "pages", "run.html"), filepath.Join(dir, "out")
	r := novasim(failing("-explain", "-html", page, "-out", out)...)
	r.want(t, exitFailed, "page:     "+page, "What led to it: at ", "* is what the violation is about")
	for _, part := range []string{"ask kind=append", "leadership taken", "violation check=", "<-"} {
		if !strings.Contains(r.stdout, part) {
			t.Errorf("the explanation misses %q:\n%s", part, r.stdout)
		}
	}
	kept, err := os.ReadFile(filepath.Join(out, "seed-1", "slice.txt"))
	if err != nil || !strings.Contains(r.stdout, string(kept)) {
		t.Errorf("the artifact explains otherwise: %v\n%s", err, kept)
	}
	first, second := read(t, page), read(t, filepath.Join(out, "seed-1", "timeline.html"))
	if first != second || !strings.Contains(first, `"check":"ack-durable"`) {
		t.Error("the page of the run and that of its artifact differ, or have no violation")
	}
	novasim(failing("-explain", "-o", "json", "-out", out)...).want(t, exitFailed, `"explanation": "What led to it: `)
}

// TestPageOfPassed sees that a run which passes is drawn too, and that a run is the same with and without it.
func TestPageOfPassed(t *testing.T) {
	page := filepath.Join(t.TempDir(), "run.html")
	with, without := novasim(small("-html", page, "-explain")...), novasim(small()...)
	with.want(t, exitPassed, "page:     "+page)
	if hashOf(with.stdout) != hashOf(without.stdout) {
		t.Error("drawing a run changes it")
	}
	if text := read(t, page); !strings.Contains(text, `"verdict":"passed"`) || !strings.Contains(text, `"name":"star-3"`) {
		t.Error("the page does not show the run")
	}
	novasim("-seeds", "1..2", "-html", page).want(t, exitUsage)
}

// TestCheckDraws sees the page of a history.
func TestCheckDraws(t *testing.T) {
	page := filepath.Join(t.TempDir(), "history.html")
	lost := strings.Replace(good, `"first":0,"hashes":["00000000000000ab"]}`+"\n", `"first":0,"hashes":[]}`+"\n", 1)
	novasim("check", "-html", page, write(t, lost)).want(t, exitFailed)
	text := read(t, page)
	for _, part := range []string{`"check":"lost-ack"`, `"name":"client 1"`, `"porcupine_of":"logs/app"`} {
		if !strings.Contains(text, part) {
			t.Errorf("the page misses %s", part)
		}
	}
	novasim("check", "-html", page, "a.jsonl", "b.jsonl").want(t, exitUsage)
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
