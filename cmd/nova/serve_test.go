package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestAUserWalksThroughEverything(t *testing.T) {
	s := newServer(t)
	s.fails(5, "connection refused", "health")
	s.start()

	s.must("", "bucket", "create", "logs")
	s.must("", "bucket", "create", "demo", "--create-on-open")
	s.must("", "stream", "create", "logs/app")
	s.must("", "stream", "create", "logs/ledger", "--mode", "fenced")
	s.must(lines(0, 1000), "append", "logs/app")
	s.must("first\n", "append", "demo/new")
	if got := s.must("", "read", "logs/app"); got != lines(0, 1000) {
		t.Errorf("read back %d bytes that differ", len(got))
	}
	if got := s.must("", "read", "logs/app", "--from", "998"); got != lines(998, 2) {
		t.Errorf("the last two are %q", got)
	}
	s.must("", "append", "logs/ledger", "a", "b", "--match-seq", "0", "--token", "5")
	var tail struct{ Next uint64 }
	if err := json.Unmarshal([]byte(s.must("", "tail", "logs/ledger")), &tail); err != nil || tail.Next != 2 {
		t.Errorf("tail %+v, %v", tail, err)
	}
	if got := s.must("", "fleet", "-o", "table"); !strings.Contains(got, s.addr) {
		t.Errorf("fleet says %q", got)
	}
	if got := s.must("", "health", "-o", "table"); !strings.HasPrefix(got, "serving star=star-") {
		t.Errorf("health says %q", got)
	}
	if got := strings.Count(s.must("", "stream", "ls", "logs"), "\n"); got != 2 {
		t.Errorf("%d streams are listed", got)
	}

	s.fails(2, "no command", "appendd")
	s.fails(2, "is no stream", "tail", "logs/")
	s.fails(2, "must be", "bucket", "create", "No_Good")
	s.fails(2, "longer than", "append", "logs/app", "--file", hugeLine(t))
	s.fails(3, "does not exist", "append", "logs/none", "x")
	s.fails(3, "does not exist", "read", "none/none")
	s.fails(4, "its tail is 2", "append", "logs/ledger", "x", "--match-seq", "7", "--token", "5")
	s.fails(4, "newer producer, with token 5", "append", "logs/ledger", "x", "--token", "3")
	s.fails(4, "exists already", "stream", "create", "logs/app")

	s.must("", "stream", "rm", "logs/app", "--yes")
	s.fails(3, "does not exist", "read", "logs/app")
	if code := s.stop(); code != 0 {
		t.Errorf("SIGTERM: exit %d", code)
	}
}

// hugeLine is a file with a line that no star takes.
func hugeLine(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "huge")
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 2<<20)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A clean stop finishes every stream: what follows finds each covered, and the next start leaves nothing to settle. It is one
// stop though the signal comes twice, as from a process manager that signals the process and its group.
func TestSIGTERMClosesCleanly(t *testing.T) {
	s := newServer(t)
	s.start()
	s.must("", "bucket", "create", "logs", "--create-on-open")
	for _, stream := range []string{"logs/a", "logs/b", "logs/c"} {
		s.must(lines(0, 100), "append", stream)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := s.stop(); code != 0 {
		t.Fatalf("exit %d", code)
	}
	s.start()
	for _, stream := range []string{"logs/a", "logs/b", "logs/c"} {
		var info struct {
			RefsTail uint64 `json:"refs_tail"`
		}
		if err := json.Unmarshal([]byte(s.must("", "stream", "info", stream)), &info); err != nil || info.RefsTail != 100 {
			t.Errorf("%s: covered up to %d, %v", stream, info.RefsTail, err)
		}
		if got := s.must("", "read", stream); got != lines(0, 100) {
			t.Errorf("%s differs", stream)
		}
		s.must(lines(100, 1), "append", stream, "--match-seq", "100")
	}
}

// An append and a following read that are under way when the star is stopped and started again go on by themselves.
func TestCommandsUnderWayGoOnOverACleanRestart(t *testing.T) {
	for _, mode := range []string{"any", "fenced"} {
		t.Run(mode, func(t *testing.T) {
			s := newServer(t)
			s.start()
			s.must("", "bucket", "create", "logs", "--create-on-open", "--mode", mode)
			s.must("", "stream", "create", "logs/a")
			appending, follow := s.begin("append", "logs/a"), s.begin("read", "logs/a", "--follow")
			appending.write(lines(0, 1000))
			follow.until(lines(0, 1000))
			if code := s.stop(); code != 0 {
				t.Fatalf("exit %d", code)
			}
			appending.write(lines(1000, 1000))
			s.start()
			appending.write(lines(2000, 1000))
			follow.until(lines(0, 3000))
			if code := appending.end(); code != 0 {
				t.Errorf("append: exit %d, said %q", code, appending.stderr.String())
			}
			if got := s.must("", "read", "logs/a"); got != lines(0, 3000) {
				t.Errorf("%d bytes differ", len(got))
			}
		})
	}
}

func TestASecondSignalSkipsTheFinish(t *testing.T) {
	s := newServer(t)
	s.start()
	s.must("", "bucket", "create", "logs", "--create-on-open")
	s.must(lines(0, 100), "append", "logs/a")
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Log("it had ended before the second signal")
	}
	s.wait()
	s.start()
	if got := s.must("", "read", "logs/a"); got != lines(0, 100) {
		t.Errorf("it reads %q", got)
	}
}

func TestADataDirectoryHasOneProcess(t *testing.T) {
	s := newServer(t)
	s.start()
	other := newServer(t)
	other.dir = s.dir
	if err := other.launch(nil); err != nil {
		t.Fatal(err)
	}
	if code := other.wait(); code != 1 {
		t.Errorf("exit %d", code)
	}
	for _, want := range []string{s.dir, "is in use by process", "try: stop that process"} {
		if !strings.Contains(other.logged(), want) {
			t.Errorf("it said %q, without %q", other.logged(), want)
		}
	}
	s.must("", "health")
}

func TestADataDirectoryOfANewerVersionIsRefusedUntouched(t *testing.T) {
	s := newServer(t)
	s.start()
	s.must("", "bucket", "create", "logs", "--create-on-open")
	s.must(lines(0, 10), "append", "logs/a")
	if code := s.stop(); code != 0 {
		t.Fatalf("exit %d", code)
	}
	formats, err := filepath.Glob(filepath.Join(s.dir, "*", "nova.format"))
	if err != nil || len(formats) == 0 {
		t.Fatalf("no format files: %v", err)
	}
	for _, path := range formats {
		was, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		newer := strings.Fields(string(was))[0] + " 99\n"
		if err := os.WriteFile(path, []byte(newer), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := s.launch(nil); err != nil {
			t.Fatal(err)
		}
		if code := s.wait(); code != 1 || !strings.Contains(s.logged(), "of format 99") || !strings.Contains(s.logged(), "or a newer one") {
			t.Errorf("%s: exit %d, said %q", path, code, s.logged())
		}
		if err := os.WriteFile(path, was, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.start()
	if got := s.must("", "read", "logs/a"); got != lines(0, 10) {
		t.Errorf("it reads %q", got)
	}
}

func TestFlagsThatCannotBeUsedAreRefused(t *testing.T) {
	for words, args := range map[string][]string{
		"no other kind of store":        {"--objects", "gs://bucket"},
		"write ZONE=URL":                {"--express", "file:///tmp"},
		"2 express zones":               {"--express", "a=file:///tmp/a", "--express", "b=file:///tmp/b"},
		"unknown flag: --objekts":       {"--objekts", "x"},
		"is no address":                 {"--listen", "nowhere"},
		"invalid argument \"soon\"":     {"--oxia-session-timeout", "soon"},
		"fanout must be above 0":        {"--absorb-fanout", "0"},
		"sessions must be above 0":      {"--max-producer-sessions", "-1"},
		"zone a is given twice":         {"--express", "a=file:///tmp/a", "--express", "a=file:///tmp/b", "--express", "c=file:///tmp/c"},
		"zones a and b are one store":   {"--express", "a=file:///tmp/a", "--express", "b=file:///tmp/../tmp/a/", "--express", "c=file:///tmp/c"},
		"with the whole path":           {"--objects", "file://rel/x"},
		"--data-dir is empty":           {"--data-dir", ""},
		"must be 1s or longer":          {"--oxia-session-timeout", "1ms"},
		"must not be negative":          {"--exit-drain-budget", "-1s"},
		"\"99999\" is no port":          {"--listen", "127.0.0.1:99999"},
		"that others could dial":        {"--advertise", "foo"},
		"object store \"file:///dev/nu": {"--objects", "file:///dev/null/x"},
		"\"endpiont\" is not known":     {"--objects", "s3://bucket?endpiont=x"},
		"zones b and c are one store":   {"--express", "a=s3://a", "--express", "b=s3://b/p", "--express", "c=s3://b/p/?region=r"},
	} {
		s := newServer(t, args...)
		if err := s.launch(nil); err != nil {
			t.Fatal(err)
		}
		code := s.wait()
		if code != 2 || !strings.Contains(s.logged(), words) || !strings.Contains(s.logged(), "try: ") {
			t.Errorf("nova serve %v: exit %d, said %q, want %q", args, code, s.logged(), words)
		}
	}
}

func TestADataDirectoryThatCannotBeUsedIsNamed(t *testing.T) {
	s := newServer(t)
	s.dir = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(s.dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.launch(nil); err != nil {
		t.Fatal(err)
	}
	code := s.wait()
	for _, want := range []string{"data directory " + s.dir, "try: --data-dir with a directory"} {
		if code != 1 || !strings.Contains(s.logged(), want) {
			t.Errorf("exit %d, said %q, want %q", code, s.logged(), want)
		}
	}
}

func TestAnExpressStreamIsServed(t *testing.T) {
	dir := t.TempDir()
	zones := []string{"a=file://" + dir + "/a", "b=file://" + dir + "/b", "c=file://" + dir + "/c"}
	s := newServer(t, "--express", zones[0], "--express", zones[1], "--express", zones[2])
	s.start()
	s.must("", "bucket", "create", "fast", "--class", "express", "--create-on-open")
	s.must(lines(0, 100), "append", "fast/lane")
	s.kill()
	s.args, s.env = nil, []string{"NOVA_EXPRESS=" + strings.Join(zones, ",")}
	s.start()
	if got := s.must("", "read", "fast/lane"); got != lines(0, 100) {
		t.Errorf("it reads %q", got)
	}
}

func TestDevIsAFleetOfThree(t *testing.T) {
	s := newServer(t, "--listen", "127.0.0.1:0") // after the one that newServer gives: it counts
	s.verb = "dev"
	s.start()
	_, rest, found := strings.Cut(s.logged(), "export NOVA_ADDR=")
	if !found {
		t.Fatalf("nothing to paste in %q", s.logged())
	}
	s.addr = strings.Fields(rest)[0]
	s.must("hello\n", "append", "demo/hello")
	if got := s.must("", "read", "demo/hello"); got != "hello\n" {
		t.Errorf("it reads %q", got)
	}
	stars := strings.Split(strings.TrimSpace(s.must("", "fleet", "-o", "jsonl")), "\n")
	if len(stars) != 3 {
		t.Fatalf("the fleet is %v", stars)
	}
	for _, line := range stars { // each answers, whoever leads
		var star struct{ Addr string }
		if err := json.Unmarshal([]byte(line), &star); err != nil {
			t.Fatal(err)
		}
		if got := s.must("", "read", "demo/hello", "--addr", star.Addr); got != "hello\n" {
			t.Errorf("asked %s, it reads %q", star.Addr, got)
		}
	}
	if code := s.stop(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// eventually waits until check is true, looking at it now and then.
func eventually(t *testing.T, what string, check func() bool) {
	t.Helper()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.After(patience); ; {
		if check() {
			return
		}
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatal(what)
		}
	}
}
