package terminal_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/novastream/nova/cmd/terminal"
)

// lockedBuffer is written by the goroutine of a Progress.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
	told chan struct{}
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.told <- struct{}{}:
	default:
	}
	return b.text.Write(p)
}

// TestProgress draws on a terminal, gives way to printed lines, and leaves nothing behind.
func TestProgress(t *testing.T) {
	out := &lockedBuffer{told: make(chan struct{}, 1)}
	p := terminal.Follow(out, true, func() string { return "halfway" })
	<-out.told
	p.Print(func() { _, _ = out.Write([]byte("a line\n")) })
	p.Stop()
	if got := out.text.String(); !strings.Contains(got, "\r\x1b[Khalfway") || !strings.Contains(got, "\r\x1b[Ka line\n") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("got %q", got)
	}
	quiet := &lockedBuffer{}
	terminal.Follow(quiet, false, func() string { return "x" }).Stop()
	if got := quiet.text.String(); got != "" {
		t.Errorf("without a terminal, at once: %q", got)
	}
}
