package cli

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestMeta runs seeds in real processes of their own.
func TestMeta(t *testing.T) {
	r := novasim(append([]string{"meta", "-other", os.Args[0]}, small("-seeds", "1..2")...)...)
	r.want(t, exitPassed, "seed 1      ", "seed 2      ", "in each of 3 processes")
}

// liar is a build whose runs depend on the settings, from the second event on.
func liar(_ context.Context, _ string, args, env []string) ([]byte, error) {
	one := slices.Contains(env, "GOMAXPROCS=1")
	if at := slices.Index(args, "-trace"); at >= 0 {
		trace := "0.1 star-1 start\n0.2 star-1 put key=a\n"
		if one {
			trace = "0.1 star-1 start\n0.2 star-1 put key=b\n"
		}
		if err := os.WriteFile(args[at+1], []byte(trace), 0o666); err != nil {
			return nil, err
		}
	}
	if one {
		return json.Marshal(view{TraceHash: "1111111111111111"})
	}
	return json.Marshal(view{TraceHash: "2222222222222222"})
}

// TestMetaFindsParting names the first event at which two processes part.
func TestMetaFindsParting(t *testing.T) {
	r := novasimWith(context.Background(), liar, "meta", "-seed", "5", "-stars", "3")
	r.want(t, exitFailed, "seed 5      FAILED", "they part at event 2, after: 0.1 star-1 start",
		"GOMAXPROCS=1 GOGC=30: 0.2 star-1 put key=b", "repeat:   novasim meta -seed 5 -stars 3")
}

// TestMetaOfABrokenBuild says what is wrong where a child does not run.
func TestMetaOfABrokenBuild(t *testing.T) {
	if r := novasim("meta", "-other", "/nowhere/novasim", "-duration", "1s"); r.code != exitUsage || !strings.Contains(r.stderr, "/nowhere/novasim") {
		t.Errorf("exit code %d, stderr %q", r.code, r.stderr)
	}
}
