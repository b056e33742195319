package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/novastream/nova/io/peer"
)

func TestAnAppendWithoutAnAnswerSaysWhatMayBeInTheStream(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "logs", "--create-on-open")
	b.env["NOVA_TIMEOUT"] = "500ms"
	b.fails(exitTimeout, "not acknowledged: 2 lines from line 1 on; they may be in the stream", "with --match-seq", "append", "logs/app", "a", "mute")
}

func TestAnAppendThatIsStoppedDoesNotAskToRepeatIt(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "logs", "--create-on-open")
	ctx, stop := context.WithCancel(t.Context())
	stdin, source := io.Pipe()
	defer source.Close()
	go func() {
		source.Write([]byte("a\n"))
		for b.star.records("app") == 0 {
		}
		stop()
	}()
	var stdout, stderr bytes.Buffer
	code := Run(ctx, Env{
		Args: []string{"append", "logs/app"}, Stdin: stdin, Stdout: &stdout, Stderr: &stderr,
		Getenv: func(name string) string { return b.env[name] },
	})
	said := stderr.String()
	if code != exitFailed || !strings.Contains(said, "1 record, seq 0 to 0") || !strings.Contains(said, "try: the rest alone, from line 2 on") {
		t.Errorf("exit %d, said %q", code, said)
	}
}

func TestAnAppendThatCannotPrintSaysThatItIsAppended(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "logs", "--create-on-open")
	var stderr bytes.Buffer
	code := Run(t.Context(), Env{
		Args: []string{"append", "logs/app", "a"}, Stdin: strings.NewReader(""), Stdout: full{}, Stderr: &stderr,
		Getenv: func(name string) string { return b.env[name] },
	})
	said := stderr.String()
	if code != exitFailed || !strings.Contains(said, "all are in the stream: no space left") || !strings.Contains(said, "do not append them again") {
		t.Errorf("exit %d, said %q", code, said)
	}
}

// full is a standard output with no room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// records counts those of a stream of the bucket logs.
func (m *memory) records(key string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.streams[peer.StreamName{Bucket: "logs", Key: key}]; s != nil {
		return len(s.records)
	}
	return 0
}

// TestAnAppendGoesOnBehindTheEndOfItsLines: the last batch is refused after the input has ended. It is sent again, and the command ends.
func TestAnAppendGoesOnBehindTheEndOfItsLines(t *testing.T) {
	for name, args := range map[string][]string{"stdin": {"append", "logs/app"}, "arguments": {"append", "logs/app", "a"}} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.must("", "bucket", "create", "logs", "--create-on-open")
			b.star.refusals = 2
			b.must("a\n", args...)
			if n := b.star.records("app"); n != 1 {
				t.Errorf("%d records", n)
			}
		})
	}
}

// TestAnAppendThatWasNeverOpenedLeavesNothingInDoubt: what is lost is the answer to the opening. Only lines that an earlier session
// was given may be in the stream.
func TestAnAppendThatWasNeverOpenedLeavesNothingInDoubt(t *testing.T) {
	lost := &peer.Error{Code: peer.Indeterminate, What: "star", Reason: "it did not say what became of the request"}
	fresh := &appending{name: peer.StreamName{Bucket: "logs", Key: "app"}, number: 1}
	if err := fresh.unopened(lost); !peer.Is(err, peer.Unavailable) || !strings.Contains(err.Error(), "nothing was sent") {
		t.Errorf("said %v", err)
	}
	fresh.number = 3
	if err := fresh.unopened(lost); !peer.Is(err, peer.Indeterminate) {
		t.Errorf("said %v, though two lines were sent", err)
	}
}
