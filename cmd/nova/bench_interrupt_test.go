package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/novastream/nova/history"
)

// TestBenchInterruptedBySignals ends a bench by the signals that a wrapper such as timeout sends: one of its own and one to the
// group. Its history passes the check, its numbers are printed, and its streams are deleted.
func TestBenchInterruptedBySignals(t *testing.T) {
	s := newServer(t)
	s.start()
	s.must("", "bucket", "create", "load")
	file := filepath.Join(t.TempDir(), "history.jsonl")
	bench := exec.Command(program, "bench", "load", "--addr", s.addr, "--record-size", "64", "--duration", "1h", "--record", file, "-o", "json")
	var stdout, stderr strings.Builder
	bench.Stdout, bench.Stderr = &stdout, &stderr
	if err := bench.Start(); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); ; { // until some of it is in the file
		if info, err := os.Stat(file); err == nil && info.Size() > 0 {
			break
		}
		if time.Since(began) > patience {
			t.Fatal("nothing was recorded")
		}
	}
	for range 2 {
		if err := bench.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	_ = bench.Wait()
	var told struct{ Records int }
	if err := json.Unmarshal([]byte(stdout.String()), &told); err != nil || told.Records == 0 || bench.ProcessState.ExitCode() != 1 {
		t.Errorf("%v, %v: %s%s", bench.ProcessState, err, stdout.String(), stderr.String())
	}
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	stored, err := history.NewStored(in)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := history.Check(stored, history.Config{}); err != nil || !r.OK() || r.Witness.Records != told.Records {
		t.Errorf("%v, %s, %d records of %d", err, r, r.Witness.Records, told.Records)
	}
	if left := s.must("", "stream", "ls", "load"); left != "" {
		t.Errorf("streams were left behind: %s", left)
	}
}
