package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/novastream/nova/io/peer"
	"github.com/novastream/nova/realio/grpcpeer"
)

// bench runs command lines against a star in memory.
type bench struct {
	t    *testing.T
	star *memory
	env  map[string]string
}

func newBench(t *testing.T) *bench {
	star := newMemory()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	star.addr = listener.Addr().String()
	server := grpcpeer.NewServer(star)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		server.Stop(ended)
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return &bench{t: t, star: star, env: map[string]string{"NOVA_ADDR": star.addr}}
}

type result struct {
	code           int
	stdout, stderr string
}

func (b *bench) run(stdin string, args ...string) result {
	b.t.Helper()
	return b.env1(stdin, false, args...)
}

// env1 runs one command line; terminal says whether stdout is one.
func (b *bench) env1(stdin string, terminal bool, args ...string) result {
	var stdout, stderr bytes.Buffer
	code := Run(b.t.Context(), Env{
		Args: args, Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr, StdoutTerminal: terminal,
		Getenv: func(name string) string { return b.env[name] },
	})
	return result{code, stdout.String(), stderr.String()}
}

// must runs a command line that has to succeed.
func (b *bench) must(stdin string, args ...string) string {
	b.t.Helper()
	r := b.run(stdin, args...)
	if r.code != 0 {
		b.t.Fatalf("nova %s: exit %d, %s", strings.Join(args, " "), r.code, r.stderr)
	}
	return r.stdout
}

// fails wants an exit code, words on stderr, and the last line to say what to try.
func (b *bench) fails(code int, words, try string, args ...string) {
	b.t.Helper()
	r := b.run("", args...)
	line := strings.Join(args, " ")
	if r.code != code || r.stdout != "" {
		b.t.Errorf("nova %s: exit %d, want %d; stdout %q", line, r.code, code, r.stdout)
	}
	lines := strings.Split(strings.TrimSpace(r.stderr), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "try: ") || !strings.Contains(last, try) {
		b.t.Errorf("nova %s: the last line is %q, want it to try %q", line, last, try)
	}
	if !strings.Contains(r.stderr, words) {
		b.t.Errorf("nova %s: said %q, want %q", line, r.stderr, words)
	}
}

func TestAWalk(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "logs")
	b.must("", "bucket", "create", "demo", "--create-on-open", "--mode", "fenced")
	b.must("", "stream", "create", "logs/app/one", "--mode", "any")
	if got := b.must("a\nb\n\nd", "append", "logs/app/one"); !strings.Contains(got, `"first":0,"next":4,"records":4`) {
		t.Errorf("append said %s", got)
	}
	b.must("", "append", "logs/app/one", "e\nf", "g", "--match-seq", "4")
	if got, want := b.must("", "read", "logs/app/one"), "a\nb\n\nd\ne\nf\ng\n"; got != want {
		t.Errorf("read %q, want %q", got, want)
	}
	if got, want := b.must("", "read", "logs/app/one", "--from", "1", "--limit", "3"), "b\n\nd\n"; got != want {
		t.Errorf("read %q, want %q", got, want)
	}
	if got := b.must("", "tail", "logs/app/one"); !strings.Contains(got, `"next":6`) {
		t.Errorf("tail said %s", got)
	}
	b.must("x\n", "append", "demo/new")
	if got := b.must("", "stream", "info", "demo/new", "-o", "yaml"); !strings.Contains(got, "mode: fenced") {
		t.Errorf("info said %s", got)
	}
	if got := b.must("", "append", "logs/app/one"); !strings.Contains(got, `"first":6,"next":6,"records":0`) {
		t.Errorf("an append of nothing said %s", got)
	}
	b.must("", "stream", "rm", "logs/app/one", "--dry-run")
	b.must("", "stream", "rm", "logs/app/one", "--yes")
	b.fails(exitNotFound, "stream logs/app/one does not exist", "nova stream ls logs", "stream", "info", "logs/app/one")
}

func TestManyNamesArePaged(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		b.must("", "bucket", "create", name)
		b.must("", "stream", "create", "a/"+name)
	}
	for _, args := range [][]string{{"bucket", "ls"}, {"stream", "ls", "a"}} {
		if got := strings.Count(b.must("", args...), "\n"); got != 5 {
			t.Errorf("nova %v listed %d names", args, got)
		}
	}
}

func TestFailuresSayWhatWhyAndWhatToTry(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "logs")
	b.must("", "stream", "create", "logs/app", "--mode", "fenced")
	b.must("a\n", "append", "logs/app", "--token", "7")

	b.fails(exitUsage, `nova has no command "bukcet"`, "nova bucket", "bukcet", "ls")
	b.fails(exitUsage, `nova stream has no command "creat"`, "nova stream create", "stream", "creat", "a/b")
	b.fails(exitUsage, `nova has no command "strem"`, "nova stream", "help", "strem")
	b.fails(exitUsage, "unknown flag: --form", "--from", "read", "logs/app", "--form", "3")
	b.fails(exitUsage, "invalid argument", "nova read --help", "read", "logs/app", "--from", "x")
	b.fails(exitUsage, "needs the name of the stream", "nova tail BUCKET/KEY", "tail")
	b.fails(exitUsage, `takes no argument "more"`, "nova tail BUCKET/KEY", "tail", "logs/app", "more")
	b.fails(exitUsage, `"logs" is no stream`, "logs/app", "tail", "logs")
	b.fails(exitUsage, `output format "xml" is unknown`, "nova help", "fleet", "-o", "xml")
	b.fails(exitUsage, `mode "exclusive" is unknown`, "--mode fenced", "stream", "create", "logs/x", "--mode", "exclusive")
	b.fails(exitUsage, "must be 1 to 63 characters", "--help", "bucket", "create", "My_Bucket")
	b.fails(exitUsage, `could not tell the tail of logs/\xff: name "\xff" is not valid: it must be valid UTF-8`, "--help", "tail", "logs/\xff")
	b.fails(exitUsage, "cannot be undone", "--yes", "stream", "rm", "logs/app")
	b.fails(exitUsage, "no such file", "--file", "append", "logs/app", "--file", "/no/such/file")
	b.fails(exitUsage, "line 1: stream logs/app is too large: it is too much", "--help", "append", "logs/app", "poison")

	b.fails(exitNotFound, "could not describe bucket nope: bucket nope does not exist", "nova bucket ls", "bucket", "info", "nope")
	b.fails(exitNotFound, "could not create stream nope/x: bucket nope does not exist", "nova bucket create nope", "stream", "create", "nope/x")
	b.fails(exitNotFound, "bucket nope does not exist", "nova bucket ls", "stream", "ls", "nope")
	b.fails(exitNotFound, "bucket nope does not exist", "nova bucket ls", "stream", "info", "nope/x")
	b.fails(exitNotFound, "stream logs/nope does not exist", "nova stream ls logs", "read", "logs/nope")
	long := strings.Repeat("é", 200)
	start := strings.Repeat("é", 50)
	b.fails(exitNotFound, "stream logs/"+start, "nova stream ls logs", "read", "logs/"+long)
	if r := b.run("", "read", "logs/"+long); len(r.stderr) > 400 || strings.ContainsRune(r.stderr, utf8.RuneError) {
		t.Errorf("a long key is told at length: %q", r.stderr)
	}
	b.fails(exitNotFound, "stream logs/nope does not exist", "nova stream create logs/nope", "append", "logs/nope", "x")
	b.fails(exitNotFound, "stream logs/nope does not exist", "nova stream ls logs", "stream", "rm", "logs/nope", "--yes")
	b.fails(exitNotFound, "bucket nope does not exist", "nova bucket create nope", "append", "nope/x", "x")
	b.fails(exitNotFound, "bucket nope does not exist", "nova bucket ls", "read", "nope/x")
	b.fails(exitNotFound, "bucket nope does not exist", "nova bucket ls", "tail", "nope/x")
	b.fails(exitNotFound, "bucket nope does not exist", "nova bucket ls", "stream", "rm", "nope/x", "--yes")
	b.fails(exitCondition, "bucket logs exists already", "another name", "bucket", "create", "logs")
	b.fails(exitCondition, "its tail is 1", "--match-seq 1", "append", "logs/app", "x", "--match-seq", "9")
	b.fails(exitCondition, "has a newer producer, with token 7", "--token 8", "append", "logs/app", "x", "--token", "3")

	b.must("", "stream", "create", "logs/any", "--mode", "any")
	b.fails(exitUsage, "has the mode any", "without --token", "append", "logs/any", "x", "--token", "3")
	b.fails(exitUsage, "is the last one there is", "--token", "append", "logs/app", "x", "--token", "18446744073709551615")
	b.fails(exitUsage, "is a directory", "--file", "append", "logs/app", "--file", t.TempDir())
	b.fails(exitUsage, "it must be a whole number, 0 or more", "nova read --help", "read", "logs/app", "--from", "-1")
	b.fails(exitUsage, "--timeout must not be negative", "--timeout 30s", "fleet", "--timeout", "-1s")
	for _, addr := range []string{"bad", "", "h:99999", "h:0", "http://h:1"} {
		b.fails(exitUsage, "is no address", "--addr HOST:PORT", "fleet", "--addr", addr)
	}

	b.env["NOVA_TIMEOUT"] = "soon"
	b.fails(exitUsage, `NOVA_TIMEOUT="soon"`, "unset NOVA_TIMEOUT", "fleet")
	b.env["NOVA_TIMEOUT"] = "500ms"
	b.star.fail("fetch", &peer.Error{Code: peer.Retry, What: "stream logs/app", Reason: "its leader is moving"})
	b.fails(exitTimeout, "no answer within 500ms: its leader is moving", "--timeout", "read", "logs/app")
	b.star.fail("health-waits", errors.New("yes"))
	b.fails(exitTimeout, "no answer within 500ms", "--timeout", "fleet")
	delete(b.env, "NOVA_TIMEOUT")
	b.star.fail("health-waits", nil)
	b.star.fail("health", &peer.Error{Code: peer.Internal, What: "star", Reason: "it broke"})
	b.fails(exitFailed, "star failed inside: it broke", "nova health", "fleet")
	b.fails(exitLater, "connection refused", "nova serve", "fleet", "--addr", "127.0.0.1:1")
}

func TestWhatWasAcknowledgedBeforeAFailureIsSaid(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "logs", "--create-on-open")
	first, second := io.Pipe()
	go func() {
		second.Write([]byte("a\n"))
		for { // the next line goes once the first is acknowledged
			b.star.mu.Lock()
			s := b.star.streams[peer.StreamName{Bucket: "logs", Key: "app"}]
			done := s != nil && len(s.records) == 1
			b.star.mu.Unlock()
			if done {
				break
			}
		}
		second.Write([]byte("poison\n"))
		second.Close()
	}()
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), Env{
		Args: []string{"append", "logs/app"}, Stdin: first, Stdout: &stdout, Stderr: &stderr,
		Getenv: func(name string) string { return b.env[name] },
	})
	if code != exitUsage || !strings.Contains(stderr.String(), "acknowledged before that: 1 record, seq 0 to 0") {
		t.Errorf("exit %d, said %q", code, stderr.String())
	}
}

// TestEveryCommandSpeaksEveryFormat walks every command that there is.
func TestEveryCommandSpeaksEveryFormat(t *testing.T) {
	lines := map[string][]string{
		"nova append": {"logs/app", "record"}, "nova bench": {"logs", "--duration", "1s"}, "nova read": {"logs/app"}, "nova tail": {"logs/app"},
		"nova bucket create": {"fresh"}, "nova bucket ls": {}, "nova bucket info": {"logs"},
		"nova stream create": {"logs/fresh"}, "nova stream ls": {"logs"}, "nova stream info": {"logs/app"},
		"nova stream rm": {"logs/app", "--yes"}, "nova fleet": {}, "nova health": {}, "nova version": {},
		"nova doctor": {"--objects", "file://" + t.TempDir()},
	}
	servers := []string{"nova serve", "nova dev", "nova demo", "nova help"} // they print no values
	a := &app{}
	walk(a.root(), func(c *cobra.Command) {
		path := c.CommandPath()
		if len(strings.Split(c.Example, "\n")) < 2 {
			t.Errorf("%s has fewer than two examples", path)
		}
		args, ok := lines[path]
		if !ok {
			if c.Runnable() && !c.HasSubCommands() && !contains(servers, path) {
				t.Errorf("%s is not tested", path)
			}
			return
		}
		for _, format := range []string{"", "table", "json", "jsonl", "yaml"} {
			t.Run(path+" -o "+format, func(t *testing.T) {
				b := newBench(t)
				b.must("", "bucket", "create", "logs")
				b.must("", "stream", "create", "logs/app")
				b.must("a\nb\nc\n", "append", "logs/app")
				all := append(strings.Fields(path)[1:], args...)
				parses(t, format, b.must("", append(all, "-o", format)...))
			})
		}
	})
}

func contains(all []string, s string) bool { return strings.Contains(strings.Join(all, "\n"), s) }

func walk(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		walk(sub, visit)
	}
}

func parses(t *testing.T, format, out string) {
	t.Helper()
	if out == "" {
		t.Error("nothing was printed")
	}
	var v any
	switch format {
	case "json":
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			t.Errorf("%v in %q", err, out)
		}
	case "jsonl":
		for _, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Errorf("%v in %q", err, line)
			}
		}
	case "yaml":
		if err := yaml.Unmarshal([]byte(out), &v); err != nil || v == nil {
			t.Errorf("%v in %q", err, out)
		}
	case "table":
		if strings.Contains(out, "{") {
			t.Errorf("no table: %q", out)
		}
	}
}

func TestATerminalSeesATableThatCannotDriveIt(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "logs", "--create-on-open")
	b.must("\x1b[31mred\tand \xff\n", "append", "logs/app")
	r := b.env1("", true, "read", "logs/app")
	if r.code != 0 || strings.ContainsRune(r.stdout, 0x1b) || !strings.Contains(r.stdout, `\u001b[31mred\tand \xff`) {
		t.Errorf("exit %d, %q", r.code, r.stdout)
	}
	if !strings.HasPrefix(r.stdout, "SEQ  TIME") {
		t.Errorf("no table: %q", r.stdout)
	}
	if got := b.must("", "read", "logs/app", "-o", "json"); !strings.Contains(got, "body_base64") {
		t.Errorf("%s", got)
	}
}

func TestShellsCompleteLiveNames(t *testing.T) {
	b := newBench(t)
	b.must("", "bucket", "create", "logs")
	b.must("", "bucket", "create", "lots")
	b.must("", "stream", "create", "logs/app/one")
	b.must("", "stream", "create", "logs/api")
	for typed, want := range map[string]string{
		"lo": "logs/\nlots/\n", "logs/ap": "logs/api\nlogs/app/one\n", "logs/app/": "logs/app/one\n", "none/": "",
	} {
		got, _, _ := strings.Cut(b.must("", "__complete", "read", typed), ":")
		if got != want {
			t.Errorf("%q completes to %q, want %q", typed, got, want)
		}
	}
	for command, want := range map[string]string{"fleet": "table\njson\njsonl\nyaml\n", "read": "table\njson\njsonl\nyaml\nraw\n"} {
		got, _, _ := strings.Cut(b.must("", "__complete", command, "-o", ""), ":")
		if got != want {
			t.Errorf("%s -o completes to %q, want %q", command, got, want)
		}
	}
	b.fails(exitUsage, `nova completion has no command "bahs"`, "nova completion bash", "completion", "bahs")
	b.fails(exitUsage, `nova completion has no command "nope"`, "nova completion --help", "completion", "nope")
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if got := b.must("", "completion", shell); !strings.Contains(got, "nova") {
			t.Errorf("%s: %q", shell, got)
		}
	}
}
