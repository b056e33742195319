package main_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBenchRecordsAKill records a load on a star that is killed by kill -9 in the middle of it and started again. The history
// passes the check; it passes again after a way to the other format and back; and its operations pass in a simulated fleet. Each
// time porcupine looks at every operation, and decides.
func TestBenchRecordsAKill(t *testing.T) {
	s := newServer(t)
	s.start()
	s.must("", "bucket", "create", "load")
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }

	bench := exec.Command(program, "bench", "load", "--addr", s.addr, "--producers", "4", "--streams", "3", "--readers", "2",
		"--record-size", "64", "--in-flight", "4", "--duration", "6s", "--keep", "--record", file("history.jsonl"), "-o", "json")
	var stderr strings.Builder
	bench.Stderr = &stderr
	restarted := make(chan struct{})
	go func() {
		defer close(restarted)
		<-time.After(2 * time.Second) // in the middle of the load
		s.kill()
		s.start()
	}()
	out, err := bench.Output()
	<-restarted
	if err != nil {
		t.Fatalf("nova bench: %v\n%s%s", err, out, stderr.String())
	}
	var told struct{ Records, Reopens, Unknown, Failed int }
	if err := json.Unmarshal(out, &told); err != nil || told.Records == 0 || told.Reopens == 0 {
		t.Errorf("%v: %s", err, out)
	}
	t.Logf("%s", out)

	novasim := file("novasim")
	if out, err := exec.Command("go", "build", "-o", novasim, "../novasim").CombinedOutput(); err != nil {
		t.Fatalf("build novasim: %v\n%s", err, out)
	}
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(novasim, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("novasim %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	const all = "1000000"
	t.Logf("%s", run("check", "-max-ops", all, file("history.jsonl")))
	stream := firstStream(s)
	run("convert", "-stream", stream, "-out", file("s2.jsonl"), file("history.jsonl"))
	run("convert", "-stream", stream, "-out", file("back.jsonl"), file("s2.jsonl"))
	run("check", "-max-ops", all, file("back.jsonl"))
	t.Logf("%s", run("replay", "-max-ops", all, "-faults", "loss,lost-store,stall", file("history.jsonl")))
}

// firstStream is a stream of the bucket that the load went to.
func firstStream(s *server) string {
	var found struct{ Stream string }
	line, _, _ := strings.Cut(s.must("", "stream", "ls", "load", "-o", "jsonl"), "\n")
	if err := json.Unmarshal([]byte(line), &found); err != nil {
		s.t.Fatal(err)
	}
	return found.Stream
}
