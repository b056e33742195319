package scenario

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/novastream/nova/core/planted"
)

// TestBlame: what a history alone tells of a lost record is told with times, slots, stars and epochs.
func TestBlame(t *testing.T) {
	bug, _ := planted.Parse("outcome-shifts")
	report, err := Run(Options{Seed: 1, Duration: 30 * time.Second, Bugs: planted.Set{}.With(bug)})
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^stream \S+: append \d+ of client \d+ .*; append \d+ of client \d+ was from [\d.ms]+ to [\d.ms]+, and seqs? \d+( to \d+)? (is|are) in slot \d+ of chain epoch \d+ of star-\d \(star-\w+\), under stream epoch \d+`)
	for _, v := range report.Violations {
		if strings.HasPrefix(v.Check, "history:") && form.MatchString(v.Sentence) {
			return
		}
	}
	t.Errorf("no violation of the history names its place: %+v", report.Violations)
}
