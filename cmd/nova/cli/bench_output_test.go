package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/novastream/nova/client"
)

// pipe makes a named pipe.
func pipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBenchWhoseReaderLeaves, as head does, ends its load at once: nobody else has the reading end of the pipe.
func TestBenchWhoseReaderLeaves(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "load")
	path := pipe(t)
	go func() {
		reader, err := os.Open(path)
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.CopyN(io.Discard, reader, 600)
		_ = reader.Close()
	}()
	r := b.run("", "bench", "load", "--duration", "1h", "--producers", "1", "--record", path)
	if r.code != exitFailed || !strings.Contains(r.stderr, "could not write the history: ") || !strings.Contains(r.stderr, "broken pipe") {
		t.Errorf("exit %d, %s", r.code, r.stderr)
	}
	if got := b.must("", "stream", "ls", "load"); strings.Contains(got, "bench") {
		t.Errorf("streams were left behind: %s", got)
	}
}

// TestBenchWithoutAReader of its pipe waits for one no longer than --timeout.
func TestBenchWithoutAReader(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "load")
	b.fails(exitTimeout, "could not open --record", "a reader of it", "bench", "load", "--timeout", "200ms", "--record", pipe(t))
}

// TestOutputThatStalls is given up after a while, and at the second interrupt at once.
func TestOutputThatStalls(t *testing.T) {
	reader, file, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer file.Close()
	again := make(chan struct{})
	out := &benchOutput{file, 50 * time.Millisecond, func() (context.Context, context.CancelFunc) { return afterwards(t.Context(), again) }}
	big := make([]byte, 1<<20)
	if _, err := out.Write(big); !errors.Is(err, errTakesNothing) {
		t.Errorf("it was not given up: %v", err)
	}
	close(again)
	out.patience = time.Hour
	if _, err := out.Write(big); !errors.Is(err, errTakesNothing) {
		t.Errorf("the second interrupt did not end it: %v", err)
	}
}

// TestSecondInterrupt ends a command that nothing else ends.
func TestSecondInterrupt(t *testing.T) {
	again, stalled := make(chan struct{}), make(chan struct{})
	defer close(stalled)
	close(again)
	err := untilAgain(again, func() error { <-stalled; return nil })
	if text, _ := (&app{}).words(err); exitCode(err) != exitFailed || !strings.Contains(text, "interrupted twice") {
		t.Errorf("exit %d, %s", exitCode(err), text)
	}
}

// refused is an output that takes nothing.
type refused struct{}

func (refused) Write([]byte) (int, error) { return 0, os.ErrClosed }

// TestInterruptedSaysWhatIsLeft: the same command would replace a history that was kept.
func TestInterruptedSaysWhatIsLeft(t *testing.T) {
	for name, c := range map[string]struct {
		out      io.Writer
		inStdout bool
		want     string
	}{
		"no history":            {nil, false, "the same command again, for the whole time"},
		"a history":             {io.Discard, false, "another run replaces it"},
		"a history on stdout":   {io.Discard, true, "the same command again, for the whole time"},
		"a history that failed": {refused{}, false, "with --record of a file that can be written to"},
	} {
		l := &load{benching: &benching{bucket: "load", duration: time.Minute}}
		if c.out != nil {
			recorder, err := client.NewRecorder(c.out, "a test")
			if err != nil {
				t.Fatal(err)
			}
			l.history = &benchHistory{path: "history.jsonl", inStdout: c.inStdout, recorder: recorder}
		}
		text, try := (&app{}).words(l.interrupted())
		if !strings.Contains(try, c.want) || !strings.HasPrefix(text, "the load on bucket load was interrupted after 0s of 1m0s") {
			t.Errorf("%s: %s, try %s", name, text, try)
		}
	}
}
