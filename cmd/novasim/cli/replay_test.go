package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/novastream/nova/sim/artifact"
)

// TestShrinkAndReplay shrinks a failing run, replays what it left, and refuses the same file as of other code.
func TestShrinkAndReplay(t *testing.T) {
	out := t.TempDir()
	flags := []string{"-bug", "skip-release-flush", "-duration", "30s", "-out", out}
	shrunk := novasim(append([]string{"shrink", "-seed", "1"}, flags...)...)
	shrunk.want(t, 1, "seed 1 fails mark-covers", "nothing more can be left out", "strikes of faults", "FAILED", "novasim replay ")
	file := filepath.Join(out, "seed-1-shrunk", failureFile)
	novasim("replay", file).want(t, 1, "mark-covers: ", "it took the same course")

	made := novasim("replay", written(t, file, func(f *artifact.Failure) { f.Code.Course = "0" }))
	made.want(t, 2)
	if !strings.Contains(made.stderr, "only the same code is sure") || !strings.Contains(made.stderr, "-anyway") {
		t.Errorf("said %q", made.stderr)
	}
	novasim("replay", "-anyway", filepath.Join(out, "other.nova")).want(t, 1, "it took the same course")
	large := novasim("replay", written(t, file, func(f *artifact.Failure) { f.Options.Stars = 9999 }))
	large.want(t, 2)
	if !strings.Contains(large.stderr, "a world has at most 1000") {
		t.Errorf("said %q", large.stderr)
	}
	novasim("replay", written(t, file, func(f *artifact.Failure) { f.Options.Seed = 2 })).want(t, 1, "determinism: the run took another course")
	novasim("replay", "-o", "json", file).want(t, 1, `"same_course": true`)
	novasim("replay", "-seed", "3", file).want(t, 2)
}

// written is a kept failure, changed by who knows the format.
func written(t *testing.T, file string, change func(*artifact.Failure)) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := artifact.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	change(&f)
	var changed bytes.Buffer
	if err := artifact.Write(&changed, f); err != nil {
		t.Fatal(err)
	}
	return put(t, file, changed.String())
}

// put writes another file beside one.
func put(t *testing.T, beside, text string) string {
	t.Helper()
	name := filepath.Join(filepath.Dir(filepath.Dir(beside)), "other.nova")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestReplayOfAChangedFile: what was edited is refused, and run all the same with -anyway.
func TestReplayOfAChangedFile(t *testing.T) {
	out := t.TempDir()
	novasim("shrink", "-seed", "1", "-bug", "skip-release-flush", "-duration", "30s", "-out", out).want(t, 1)
	file := filepath.Join(out, "seed-1-shrunk", failureFile)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for old, other := range map[string]string{`"seed":1`: `"seed":2`, `"sentence":"`: `"sentence":"not `, `"expect":"`: `"expect":"0`} {
		name := put(t, file, strings.Replace(string(text), old, other, 1))
		r := novasim("replay", name)
		r.want(t, 2)
		if !strings.Contains(r.stderr, "it was changed since novasim wrote it") && old != `"expect":"` {
			t.Errorf("%s: said %q", other, r.stderr)
		}
		if old == `"seed":1` {
			r = novasim("replay", "-anyway", name)
			r.want(t, 1, "it took another course")
			if !strings.Contains(r.stderr, "another course than the one that was kept") {
				t.Errorf("said %q", r.stderr)
			}
		}
	}
	novasim("replay", put(t, file, strings.Replace(string(text), `{"expect"`, `garbage{"expect"`, 1))).want(t, 2)
}

// TestShrinkTogether runs several worlds at a time, and finds what one at a time finds.
func TestShrinkTogether(t *testing.T) {
	kept := func(jobs string) (stdout, file string) {
		out := t.TempDir()
		r := novasim("shrink", "-seed", "1", "-bug", "skip-release-flush", "-duration", "30s", "-j", jobs, "-out", out)
		r.want(t, 1, "nothing more can be left out")
		text, err := os.ReadFile(filepath.Join(out, "seed-1-shrunk", failureFile))
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(r.stdout, out, "OUT"), string(text)
	}
	stdout, file := kept("1")
	if together, other := kept("3"); together != stdout || other != file {
		t.Errorf("one at a time:\n%s\nthree at a time:\n%s", stdout, together)
	}
}

// TestShrinkWhatPasses says that there is nothing to do.
func TestShrinkWhatPasses(t *testing.T) {
	r := novasim(append([]string{"shrink", "-seed", "2", "-faults", "none"}, small()...)...)
	r.want(t, 2)
	if !strings.Contains(r.stderr, "seed 2 passes every check") {
		t.Errorf("said %q", r.stderr)
	}
}

// TestKeptFailure replays what an ordinary failing run leaves.
func TestKeptFailure(t *testing.T) {
	out := t.TempDir()
	novasim("-seed", "1", "-bug", "skip-release-flush", "-duration", "20s", "-out", out).want(t, 1, "FAILED")
	novasim("replay", filepath.Join(out, "seed-1", failureFile)).want(t, 1, "it took the same course")
}

// TestReplayHistory has the operations of a run asked of other fleets: calm ones, and under faults.
func TestReplayHistory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.jsonl")
	novasim(append([]string{"-seed", "4", "-history", file}, small()...)...).want(t, 0)
	calm := novasim("replay", "-faults", "none", "-stars", "3", file)
	calm.want(t, 0, "PASSED", "operations on 4 streams were asked as in")
	if !strings.Contains(calm.stdout, "append ok") || strings.Contains(calm.stdout, "append unknown") {
		t.Errorf("in a calm fleet: %s", calm.stdout)
	}
	novasim("replay", "-faults", "crash,partition,late-store", "-seed", "9", file).want(t, 0, "PASSED")
	novasim("replay", "-streams", "3", file).want(t, 2)
	novasim("replay", "-anyway", file).want(t, 2)
	novasim("replay").want(t, 2)
}

// TestReplayLongNames asks for a stream whose key is as long as keys may be.
func TestReplayLongNames(t *testing.T) {
	file := write(t, strings.ReplaceAll(good, "logs/app", "logs/"+strings.Repeat("k", 512)))
	novasim("replay", "-faults", "none", file).want(t, 0, "PASSED")
}

// impatient is a context that is done when it was asked a few times.
type impatient struct {
	context.Context
	left int
}

func (i *impatient) Err() error {
	if i.left--; i.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestShrinkInterrupted keeps the smallest run that was found by then.
func TestShrinkInterrupted(t *testing.T) {
	out := t.TempDir()
	r := novasimWith(&impatient{context.Background(), 5}, childExec,
		"shrink", "-seed", "1", "-bug", "skip-release-flush", "-duration", "30s", "-out", out)
	r.want(t, exitUndecided, "it was interrupted; this is the smallest by then", "FAILED")
	if !strings.Contains(r.stderr, "interrupted") {
		t.Errorf("said %q", r.stderr)
	}
	novasim("replay", filepath.Join(out, "seed-1-shrunk", failureFile)).want(t, exitFailed, "it took the same course")
}

// TestShrinkWithoutTime keeps the failing run itself where the budget is over before anything smaller was tried.
func TestShrinkWithoutTime(t *testing.T) {
	out := t.TempDir()
	r := novasim("shrink", "-budget", "1ns", "-seed", "1", "-bug", "skip-release-flush", "-duration", "30s", "-out", out)
	r.want(t, exitFailed, "1 run later the budget was too short to make it any smaller", "-budget gives it more time", "FAILED")
	novasim("replay", filepath.Join(out, "seed-1-shrunk", failureFile)).want(t, exitFailed, "it took the same course")
}

// TestShrinkWithNowhereToKeep tells what it found where it cannot be kept, and refuses at once what is no directory.
func TestShrinkWithNowhereToKeep(t *testing.T) {
	args := []string{"shrink", "-seed", "1", "-bug", "skip-release-flush", "-duration", "30s", "-out"}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if r := novasim(append(args, file)...); r.code != exitUsage || !strings.Contains(r.stderr, "is no directory") || r.stdout != "" {
		t.Errorf("exit code %d, said %q", r.code, r.stderr)
	}
	novasim(append(args, filepath.Join(file, "below"))...).want(t, 1, "nothing more can be left out", "artifact: none: ", "repeat:   novasim shrink ")
}

// TestReplayOfAPart refuses a duration that ends before the history does: its clients would still wait.
func TestReplayOfAPart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.jsonl")
	novasim(small("-seed", "1", "-history", file)...).want(t, 0)
	if r := novasim("replay", "-duration", "1s", file); r.code != exitUsage || !strings.Contains(r.stderr, "-duration 1s is less than the ") {
		t.Errorf("exit code %d, said %q", r.code, r.stderr)
	}
}

// TestShrinkGoesOn: a search goes on from what one before it kept, and ends where nothing more can be left out.
func TestShrinkGoesOn(t *testing.T) {
	out := t.TempDir()
	r := novasim("-seed", "1", "-bug", "skip-release-flush", "-duration", "30s", "-out", out)
	r.want(t, 1)
	whole := filepath.Join(out, "seed-1", failureFile)
	novasim("shrink", "-out", out, whole).want(t, 1, "nothing more can be left out", "strikes of faults ")
	shrunk := filepath.Join(out, "seed-1-shrunk", failureFile)
	before, err := os.ReadFile(shrunk)
	if err != nil {
		t.Fatal(err)
	}
	novasim("shrink", "-out", out, shrunk).want(t, 1, "nothing more can be left out")
	novasim("replay", shrunk).want(t, 1, "it took the same course")
	if after, err := os.ReadFile(shrunk); err != nil || strings.Count(string(after), "\n") > strings.Count(string(before), "\n") {
		t.Errorf("from\n%s\nto\n%s: %v", before, after, err)
	}
	for args, want := range map[string]string{
		"shrink -seed 3 " + shrunk: "-seed: a kept failure says itself what is run", "shrink " + out + "/none": "no such file",
		"shrink " + filepath.Join(out, "seed-1", "history.jsonl"): "is not that of a kept failure", "shrink -anyway": "-anyway is of kept failures",
	} {
		if r := novasim(strings.Fields(args)...); r.code != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("novasim %s: exit code %d, said %q", args, r.code, r.stderr)
		}
	}
}
