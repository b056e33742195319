package cli

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/novastream/nova/history"
)

// TestBenchOfAFullDisk ends its load soon, with the error of the disk.
func TestBenchOfAFullDisk(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "load")
	r := b.run("", "bench", "load", "--duration", "1h", "--record", "/dev/full")
	if r.code != exitFailed || !strings.Contains(r.stderr, "no space left") || !strings.Contains(r.stderr, "other than /dev/full") {
		t.Errorf("exit %d, %s", r.code, r.stderr)
	}
}

// TestBenchIntoStdout keeps the numbers out of the history.
func TestBenchIntoStdout(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "load")
	reader, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	path := "/dev/fd/" + strconv.Itoa(int(stdout.Fd()))
	read := make(chan []byte, 1)
	go func() {
		all, _ := io.ReadAll(reader)
		read <- all
	}()
	var stderr bytes.Buffer
	code := Run(t.Context(), Env{
		Args:   []string{"bench", "load", "--duration", "200ms", "--record", path, "-o", "json"},
		Stdout: stdout, Stderr: &stderr, Getenv: func(name string) string { return b.env[name] },
	})
	_ = stdout.Close()
	stored, err := history.NewStored(bytes.NewReader(<-read))
	if err != nil {
		t.Fatal(err)
	}
	r, err := history.Check(stored, history.Config{})
	if code != exitDone || err != nil || r.Verdict() != history.Passed || !strings.Contains(stderr.String(), `"records":`) {
		t.Errorf("exit %d, %v, %v, %s", code, err, r, stderr.String())
	}
}
