package history

import (
	"math"
	"os"
	"strings"
	"testing"
	"time"
)

// TestTimeout: a search that runs out of time is undecided, not passed.
func TestTimeout(t *testing.T) {
	script, err := os.ReadFile("testdata/scripts/hard")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(script), "check steps=20000\n")
	text, _, _ = strings.Cut(text, "----")
	log, err := parseScript(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Check(log, Config{MaxOps: 100, MaxSteps: math.MaxInt, Timeout: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if last := r.Undecided[len(r.Undecided)-1].Text; r.Verdict() != NotDecided || !strings.Contains(last, "ran out of its time of 10ms") {
		t.Errorf("%s", r)
	}
}

// TestConfig: bounds that make no sense are refused.
func TestConfig(t *testing.T) {
	for _, c := range []Config{{MaxOps: -1}, {MaxOps: 1}, {Timeout: -1}, {Parts: -1}} {
		if _, err := Check(&Log{}, c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}
