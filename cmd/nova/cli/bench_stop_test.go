package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/novastream/nova/history"
	"github.com/novastream/nova/io/peer"
)

// judged is the result of a check of a history.
func judged(t *testing.T, file string) history.Result {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	stored, err := history.NewStored(in)
	if err != nil {
		t.Fatal(err)
	}
	r, err := history.Check(stored, history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestBenchInterrupted prints the numbers until then, and its history is whole and passes.
func TestBenchInterrupted(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "load")
	file := filepath.Join(t.TempDir(), "history.jsonl")
	ctx, interrupt := context.WithCancel(t.Context())
	go func() {
		defer interrupt()
		for { // until something was appended
			b.star.mu.Lock()
			for _, s := range b.star.streams {
				if len(s.records) > 100 {
					b.star.mu.Unlock()
					return
				}
			}
			b.star.mu.Unlock()
		}
	}()
	var stdout, stderr bytes.Buffer
	code := Run(ctx, Env{
		Args:   []string{"bench", "load", "--record-size", "16", "--duration", "1h", "--record", file, "-o", "json"},
		Stdout: &stdout, Stderr: &stderr, Getenv: func(name string) string { return b.env[name] },
	})
	if code != exitFailed || !strings.Contains(stdout.String(), `"records":`) || !strings.Contains(stderr.String(), "bucket load was interrupted after") ||
		!strings.Contains(stderr.String(), "try: novasim check "+file) {
		t.Errorf("exit %d, %s%s", code, stdout.String(), stderr.String())
	}
	if r := judged(t, file); r.Verdict() != history.Passed || r.Witness.Records == 0 {
		t.Errorf("%s: %s", r.Verdict(), r)
	}
	if got := b.must("", "stream", "ls", "load"); strings.Contains(got, "bench") {
		t.Errorf("streams were left behind: %s", got)
	}
}

// TestBenchOfAFleetThatIsGone ends within a few times --timeout, names the streams that are not read back, and keeps what it has.
func TestBenchOfAFleetThatIsGone(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "load")
	b.star.fail("fetch", &peer.Error{Code: peer.Unavailable, What: "star", Reason: "it does not answer"})
	file := filepath.Join(t.TempDir(), "history.jsonl")
	began := time.Now()
	r := b.run("", "bench", "load", "--timeout", "500ms", "--producers", "16", "--streams", "16", "--duration", "200ms", "--record", file)
	if took := time.Since(began); took > 8*time.Second {
		t.Errorf("it ended after %v", took)
	}
	if r.code != exitTimeout || !strings.Contains(r.stdout, "records") {
		t.Errorf("exit %d, %s", r.code, r.stdout)
	}
	for _, want := range []string{file + " is not whole", "/1: ", "/16: ", "could not read all streams back: no answer within 500ms", "try: nova health"} {
		if !strings.Contains(r.stderr, want) {
			t.Errorf("it does not say %q: %s", want, r.stderr)
		}
	}
	if r := judged(t, file); r.Verdict() != history.NotDecided {
		t.Errorf("%s: %s", r.Verdict(), r)
	}
}

// TestBenchWhoseHistoryCannotBeWritten says which file it was.
func TestBenchWhoseHistoryCannotBeWritten(t *testing.T) {
	var stderr bytes.Buffer
	a := &app{Env: Env{Stderr: &stderr}}
	b := &benching{bucket: "load", file: filepath.Join(t.TempDir(), "history.jsonl"), patience: time.Minute}
	h, err := a.begin(t.Context(), nil, b)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.file.Close(); err != nil { // as a disk that is full, every write fails
		t.Fatal(err)
	}
	err = a.finish(t.Context(), h, silent{})
	if text, try := a.words(err); exitCode(err) != exitFailed || !strings.Contains(text, "could not write the history: ") ||
		!strings.HasPrefix(try, "--record ") || !strings.Contains(try, b.file) || !strings.Contains(stderr.String(), b.file+" is not whole") {
		t.Errorf("exit %d, %s, try %s, %s", exitCode(err), text, try, stderr.String())
	}
}

// silent is a star that takes everything and answers nothing.
type silent struct{ peer.Star }

func (s silent) OpenSession(context.Context, peer.OpenRequest) (peer.Session, error) { return s, nil }
func (silent) Opened() peer.Opened                                                   { return peer.Opened{} }
func (silent) Send(context.Context, peer.Batch) error                                { return nil }
func (silent) Close(context.Context) error                                           { return nil }
func (silent) Recv(ctx context.Context) (peer.Ack, error) {
	<-ctx.Done()
	return peer.Ack{}, ctx.Err()
}

// TestBenchWaitsForLastAnswers for so long, a moment once it is interrupted, and no longer when it is again.
func TestBenchWaitsForLastAnswers(t *testing.T) {
	for _, c := range []struct {
		name          string
		first, second time.Duration
		want          time.Duration
	}{
		{"not interrupted", time.Hour, time.Hour, time.Minute + 15*time.Second},
		{"interrupted", 10 * time.Second, time.Hour, 10*time.Second + interruptBudget},
		{"while it waits", time.Minute + 5*time.Second, time.Hour, time.Minute + 5*time.Second + interruptBudget},
		{"twice", 10 * time.Second, 11 * time.Second, 11 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), c.first)
				defer cancel()
				twice, cancel := context.WithTimeout(t.Context(), c.second)
				defer cancel()
				l := &load{
					benching: &benching{producers: 3, size: 16, batch: 1, underWay: 4, duration: time.Minute, patience: 15 * time.Second},
					fleet:    silent{}, streams: []peer.StreamName{{Bucket: "load", Key: "x"}},
				}
				began := time.Now()
				_ = l.run(ctx, twice.Done())
				if took := time.Since(began); took != c.want {
					t.Errorf("it took %v, want %v", took, c.want)
				}
			})
		})
	}
}
