package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoInputIsDestroyed refuses outputs that are an input, or each other, under whatever name.
func TestNoInputIsDestroyed(t *testing.T) {
	dir := t.TempDir()
	file, link, hard := filepath.Join(dir, "history.jsonl"), filepath.Join(dir, "link"), filepath.Join(dir, "hard")
	if err := os.WriteFile(file, []byte(good), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(file, hard); err != nil {
		t.Fatal(err)
	}
	unclean := dir + "/./x/../history.jsonl"
	_ = os.Mkdir(filepath.Join(dir, "x"), 0o777)
	fresh := filepath.Join(dir, "fresh")
	for _, args := range [][]string{
		{"convert", "-out", file, file},
		{"convert", "-out", unclean, file},
		{"convert", "-out", link, file},
		{"convert", "-out", file, hard},
		{"check", "-html", file, file},
		{"replay", "-history", file, file},
		{"replay", "-trace", link, file},
		{"replay", "-trace", fresh, "-history", fresh, file},
		small("-history", fresh, "-trace", fresh),
		small("-history", fresh, "-html", dir+"/./fresh"),
		small("-trace", fresh, "-html", fresh),
	} {
		r := novasim(args...)
		r.want(t, exitUsage)
		if !strings.Contains(r.stderr, "are the same file") {
			t.Errorf("novasim %v said %q", args, r.stderr)
		}
	}
	if kept, err := os.ReadFile(file); err != nil || string(kept) != good {
		t.Errorf("the history is now %q, %v", kept, err)
	}
	novasim(small("-history", os.DevNull, "-trace", os.DevNull)...).want(t, exitPassed)
}

// TestWholeOrNot leaves what stood in the place of an output as it was, where the output does not come to its end.
func TestWholeOrNot(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "records.jsonl")
	if err := os.WriteFile(out, []byte("from before"), 0o600); err != nil {
		t.Fatal(err)
	}
	novasim("convert", "-out", out, write(t, "{}\n")).want(t, exitUsage)
	if kept, err := os.ReadFile(out); err != nil || string(kept) != "from before" {
		t.Errorf("the output is now %q, %v", kept, err)
	}
	novasim("convert", "-out", out, write(t, good)).want(t, exitPassed)
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("left behind are %v, %v", names, err)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 || info.Size() < 50 {
		t.Errorf("the output is %v, %v", info, err)
	}
}

// TestUnwritable tells what could not be written as what could not be run, and no failure without its verdict.
func TestUnwritable(t *testing.T) {
	file := write(t, good)
	beneath := filepath.Join(file, "x")
	for _, args := range [][]string{
		small("-trace", "."), small("-history", beneath), small("-html", beneath), {"convert", "-out", beneath, file},
		{"check", "-html", beneath, file}, append([]string{"meta", "-other", "/nope"}, small()...),
	} {
		if r := novasim(args...); r.code != exitUsage || !strings.Contains(r.stderr, "\ntry: ") {
			t.Errorf("novasim %v: exit code %d, stderr %q", args, r.code, r.stderr)
		}
	}
	for _, args := range [][]string{small("-html", "."), small("-html", beneath), small("-history", beneath)} {
		r := novasim(args...)
		r.want(t, exitUsage)
		if want := args[len(args)-1] + " cannot be written: "; r.stdout != "" || !strings.Contains(r.stderr, want) {
			t.Errorf("novasim %v ran, or does not name the file:\n%s%s", args, r.stdout, r.stderr)
		}
	}
	if r := novasim("check", "-html", ".", file); r.code != exitUsage || r.stdout != "" || !strings.Contains(r.stderr, ". cannot be written: ") {
		t.Errorf("novasim check judged, or does not name the file: exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	failing := []string{"-seed", "1", "-bug", "skip-release-flush", "-duration", "20s", "-out", t.TempDir()}
	if _, err := os.Stat("/dev/full"); err == nil {
		novasim(append(failing, "-history", "/dev/full")...).want(t, exitFailed, "FAILED", "repeat:   novasim -seed 1")
		novasim("check", "-html", "/dev/full", file).want(t, exitUsage, "PASSED")
		novasim(append(failing, "-html", "/dev/full")...).want(t, exitFailed, "FAILED", "repeat:   novasim -seed 1")
		novasim(small("-html", "/dev/full")...).want(t, exitUsage, "PASSED")
	}
}

// TestNoFile refuses what can be read only once.
func TestNoFile(t *testing.T) {
	for _, args := range [][]string{{"check", os.DevNull}, {"convert", os.DevNull}, {"replay", os.DevNull}} {
		r := novasim(args...)
		r.want(t, exitUsage)
		if !strings.Contains(r.stderr, "must be a file") {
			t.Errorf("novasim %v said %q", args, r.stderr)
		}
	}
}
