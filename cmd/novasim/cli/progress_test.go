package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestLiveLine draws on a terminal, gives way to printed lines, and leaves nothing behind.
func TestLiveLine(t *testing.T) {
	var out bytes.Buffer
	drawn := make(chan bool, 1)
	p := follow(Env{Stderr: &out, StderrTerminal: true}, func() string {
		select {
		case drawn <- true:
		default:
		}
		return "half done"
	})
	select {
	case <-drawn:
	case <-time.After(10 * time.Second):
		t.Fatal("nothing is drawn")
	}
	p.print(func() { out.WriteString("a line\n") })
	p.stop()
	if text := out.String(); !strings.Contains(text, "\r\x1b[Khalf done") && !strings.Contains(text, "a line\n") || !strings.HasSuffix(text, "\r\x1b[K") {
		t.Errorf("drawn: %q", text)
	}
}

func TestSpeed(t *testing.T) {
	got := speed{30, 4_000_000, time.Hour, time.Minute}.String()
	if want := "30 seeds in 1m0s: 30.0 seeds/min, 60 simulated s per wall s, 66667 steps/s"; got != want {
		t.Errorf("got %q", got)
	}
}
