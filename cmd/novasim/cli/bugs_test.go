package cli

import (
	"regexp"
	"testing"
)

// TestBugs finds a bug that any fleet shows, and says so where one cannot be found.
func TestBugs(t *testing.T) {
	found := novasim(append([]string{"bugs", "-max", "20"}, small("ack-before-quorum")...)...)
	found.want(t, exitPassed, "1 of 1 planted bugs found")
	if !regexp.MustCompile(`(?m)^ack-before-quorum +\d+ +\d+ +[\d.]+s  \S`).MatchString(found.stdout) {
		t.Errorf("no row of the table:\n%s", found.stdout)
	}
	missed := novasim("bugs", "-max", "1", "-faults", "none", "-duration", "1s", "no-poison")
	missed.want(t, exitFailed, "NOT FOUND", "0 of 1 planted bugs found", "not found    no-poison")
}
