package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCrashpoints tells one short story in all ways, and a sample of pairs.
func TestCrashpoints(t *testing.T) {
	r := novasim("crashpoints", "-scenario", "delete-led", "-pairs", "-every", "30", "-j", "1")
	r.want(t, exitPassed, "delete-led, seed 1", "before  after  late  lost  refused", "delete.descriptor", "tellings, passed", "pairs:", "pruned")
	again := novasim("crashpoints", "-scenario", "delete-led", "-pairs", "-every", "30")
	if again.stdout != r.stdout {
		t.Errorf("the second time it tells\n%s\nand the first time\n%s", again.stdout, r.stdout)
	}
}

// TestCrashpointsFailure has a planted bug found, and the printed command find it again.
func TestCrashpointsFailure(t *testing.T) {
	out := t.TempDir()
	r := novasim("crashpoints", "-scenario", "supersede", "-bug", "skip-release-flush", "-out", out)
	r.want(t, exitFailed, "FAILED", "repeat:   novasim crashpoints -scenario supersede -seed 1 -bug skip-release-flush", "artifact: "+out)
	_, command, _ := strings.Cut(r.stdout, "repeat:   novasim ")
	command, _, _ = strings.Cut(command, "\n")
	novasim(append(strings.Fields(command), "-out", out)...).want(t, exitFailed, "repeat:   novasim "+command)
	kept, err := filepath.Glob(filepath.Join(out, "*", "*"))
	if err != nil || len(kept) != 3 {
		t.Errorf("kept are %v, %v", kept, err)
	}
	for _, file := range kept {
		if info, err := os.Stat(file); err != nil || info.Size() == 0 {
			t.Errorf("%s is empty, or %v", file, err)
		}
	}
}

// TestCrashpointsOneTelling lists the effects of a telling, those that went wrong marked.
func TestCrashpointsOneTelling(t *testing.T) {
	r := novasim("crashpoints", "-scenario", "failover", "-hits", "4:after,19:lost")
	r.want(t, exitPassed, "after       4  ", "lost       19  ", "PASSED")
}

// TestCrashpointsNoSuchEffect refuses a hit behind the end of the story: nothing failed.
func TestCrashpointsNoSuchEffect(t *testing.T) {
	r := novasim("crashpoints", "-scenario", "failover", "-hits", "999:after")
	r.want(t, exitUsage)
	if !strings.Contains(r.stderr, "the telling has no effect 999; it has ") {
		t.Errorf("said %q", r.stderr)
	}
}
