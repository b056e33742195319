package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun runs one seed twice: the same is told, in the sections that are documented.
func TestRun(t *testing.T) {
	first := novasim(small("-seed", "3")...)
	first.want(t, exitPassed, "seed 3, scenario default: 3 stars", "\nPASSED\n")
	if again := novasim(small("-seed", "3")...); again.stdout != first.stdout {
		t.Errorf("a second run tells something else:\n%s\n%s", first.stdout, again.stdout)
	}
	if other := novasim(small("-seed", "4")...); hashOf(other.stdout) == hashOf(first.stdout) {
		t.Error("two seeds have one trace hash")
	}
	for _, title := range []string{"faults", "operations", "witness", "porcupine", "invariants", "sometimes", "simulated", "trace hash"} {
		if !strings.Contains(first.stdout, "\n"+title+" ") {
			t.Errorf("no section %q:\n%s", title, first.stdout)
		}
	}
	if !strings.Contains(first.stderr, "simulated s per wall s") {
		t.Errorf("no speed on stderr: %q", first.stderr)
	}
	for line := range strings.Lines(first.stdout) {
		if len(line) > 220 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
}

func hashOf(stdout string) string {
	_, rest, _ := strings.Cut(stdout, "\ntrace hash ")
	hash, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(hash)
}

// TestRecording writes the history and the trace of a run, and checks the history; recording does not change the run.
func TestRecording(t *testing.T) {
	dir := t.TempDir()
	history, trace := filepath.Join(dir, "deep", "history.jsonl"), filepath.Join(dir, "trace.txt")
	recorded := novasim(small("-seed", "3", "-history", history, "-trace", trace)...)
	recorded.want(t, exitPassed)
	if plain := novasim(small("-seed", "3")...); plain.stdout != recorded.stdout {
		t.Error("recording changes the run")
	}
	novasim("check", history).want(t, exitPassed, "made by novasim -seed 3 -stars 3", "PASSED")
	if text, err := os.ReadFile(trace); err != nil || strings.Count(string(text), "\n") < 1000 {
		t.Errorf("a trace of %d bytes, %v", len(text), err)
	}
}

// TestFailure plants a bug: the failure is told, kept, and comes again with the command that was told.
func TestFailure(t *testing.T) {
	out := t.TempDir()
	r := novasim(small("-seeds", "1..20", "-bug", "ack-before-quorum", "-out", out)...)
	r.want(t, exitFailed, "FAILED", "1 failed")
	_, rest, _ := strings.Cut(r.stdout, "  repeat:   novasim ")
	command, rest, _ := strings.Cut(rest, "\n")
	_, rest, _ = strings.Cut(rest, "  artifact: ")
	artifact, _, _ := strings.Cut(rest, "\n")
	if !strings.Contains(command, "-bug ack-before-quorum") || filepath.Dir(artifact) != out {
		t.Fatalf("repeat %q, artifact %q:\n%s", command, artifact, r.stdout)
	}
	for _, name := range []string{"history.jsonl", "trace.txt", "report.json"} {
		if info, err := os.Stat(filepath.Join(artifact, name)); err != nil || info.Size() < 100 {
			t.Errorf("artifact %s: %v", name, err)
		}
	}
	again := novasim(append(strings.Fields(command), "-out", out)...)
	again.want(t, exitFailed, "FAILED", "repeat:   novasim "+command)
	if hash := hashOf(again.stdout); !strings.Contains(r.stdout, hash) {
		t.Errorf("the repeated run has trace hash %s:\n%s", hash, r.stdout)
	}
	if strings.Contains(r.stdout+again.stdout, "not deterministic") {
		t.Error("recording the failure took another course")
	}
}

// TestSwarm runs seeds on one and on several threads: the same is told, in the order of the seeds.
func TestSwarm(t *testing.T) {
	one := novasim(small("-seeds", "1..6", "-j", "1")...)
	one.want(t, exitPassed, "6 seeds: 6 passed, 0 failed, 0 undecided", "not crossed: ")
	if four := novasim(small("-seeds", "1..6", "-j", "4")...); four.stdout != one.stdout {
		t.Errorf("on one thread:\n%s\non four:\n%s", one.stdout, four.stdout)
	}
}

// TestKeepGoing goes on after failures, where it is asked to.
func TestKeepGoing(t *testing.T) {
	args := small("-seeds", "1..5", "-bug", "ack-before-quorum", "-out", t.TempDir())
	if r := novasim(append(args, "-keep-going")...); r.code != exitFailed || !strings.Contains(r.stdout, "\n5 seeds: ") {
		t.Errorf("exit code %d:\n%s", r.code, r.stdout)
	}
}

// TestInterrupted ends before anything is decided.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	file := write(t, good)
	for _, args := range [][]string{
		small("-seed", "1"), small("-seeds", "1..9"), {"shrink", "-seed", "1", "-bug", "skip-release-flush", "-duration", "30s"},
		{"check", file}, {"convert", file}, {"replay", file}, append([]string{"meta"}, small()...),
		{"crashpoints", "-scenario", "lead", "-hits", "1:after"}, {"crashpoints", "-scenario", "lead"},
	} {
		if r := novasimWith(ctx, childExec, args...); r.code != exitUndecided || !strings.Contains(r.stderr, "interrupted") {
			t.Errorf("novasim %v: exit code %d, stderr %q", args, r.code, r.stderr)
		}
	}
}

// TestNoSeeds never lets a swarm pass in which nothing ran.
func TestNoSeeds(t *testing.T) {
	r := novasim(small("-seeds", "0..18446744073709551615")...)
	r.want(t, exitUsage)
	if !strings.Contains(r.stderr, "more than can be counted") {
		t.Errorf("said %q", r.stderr)
	}
	if err := newSummary().verdict(); !errors.Is(err, errUndecided) {
		t.Errorf("a swarm of no seeds ends with %v", err)
	}
}
