package main_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/novastream/nova/realio/ports"
)

// patience is how long a test waits for what should happen at once.
const patience = 30 * time.Second

// program is the path of the nova that TestMain built.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "nova-e2e-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "nova")
		if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build nova: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// server is a nova serve as a user starts it.
type server struct {
	t    *testing.T
	dir  string
	addr string
	args []string
	verb string // serve, or dev
	wrap string // a shell line that runs "$@"; empty: none
	env  []string

	cmd    *exec.Cmd
	exited chan struct{}
	mu     sync.Mutex
	log    bytes.Buffer
}

// newServer is a server in a fresh directory on a free port, not started yet.
func newServer(t *testing.T, args ...string) *server {
	t.Helper()
	s := &server{t: t, dir: filepath.Join(t.TempDir(), "nova-data"), addr: freeAddr(t), args: args, verb: "serve"}
	t.Cleanup(func() {
		s.kill()
		if t.Failed() || os.Getenv("E2E_LOG") != "" {
			t.Logf("log of the star:\n%s", s.logged())
		}
	})
	return s
}

// freeAddr is an address that nobody listens on, now or later.
func freeAddr(t *testing.T) string {
	t.Helper()
	listener, err := ports.Listen()
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return listener.Addr().String()
}

var serving = regexp.MustCompile(`star \S+ serves on|stops the fleet`)

// start starts the server and waits until it serves.
func (s *server) start() {
	s.t.Helper()
	ready := make(chan struct{})
	if err := s.launch(ready); err != nil {
		s.t.Fatal(err)
	}
	select {
	case <-ready:
	case <-s.exited:
		s.t.Fatalf("nova serve ended: %v\n%s", s.cmd.ProcessState, s.logged())
	case <-time.After(patience):
		s.t.Fatalf("nova serve does not serve\n%s", s.logged())
	}
}

func (s *server) launch(ready chan<- struct{}) error {
	args := append([]string{program, s.verb, "--listen", s.addr, "--data-dir", s.dir}, s.args...)
	if s.wrap != "" {
		args = append([]string{"sh", "-c", s.wrap, "sh"}, args...)
	}
	s.cmd = exec.Command(args[0], args[1:]...)
	s.cmd.Env = append(os.Environ(), s.env...)
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	cmd, exited := s.cmd, make(chan struct{})
	s.exited = exited
	go func() {
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			s.mu.Lock()
			s.log.Write(append(lines.Bytes(), '\n'))
			s.mu.Unlock()
			if serving.Match(lines.Bytes()) && ready != nil {
				close(ready)
				ready = nil
			}
		}
		_ = cmd.Wait() // its state says how it ended
		close(exited)
	}()
	return nil
}

func (s *server) logged() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// kill is kill -9.
func (s *server) kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill() // it may have ended already
	<-s.exited
}

// stop is SIGTERM; it answers the exit code.
func (s *server) stop() int {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	return s.wait()
}

// wait waits for the server to end by itself.
func (s *server) wait() int {
	s.t.Helper()
	select {
	case <-s.exited:
	case <-time.After(patience):
		s.t.Fatalf("nova serve does not end\n%s", s.logged())
	}
	return s.cmd.ProcessState.ExitCode()
}

// result is what a command line came to.
type result struct {
	code           int
	stdout, stderr string
}

// nova runs a command line against the server.
func (s *server) nova(stdin string, args ...string) result {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "NOVA_ADDR="+s.addr)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// must runs a command line that has to succeed, and answers what it printed.
func (s *server) must(stdin string, args ...string) string {
	s.t.Helper()
	r := s.nova(stdin, args...)
	if r.code != 0 {
		s.t.Fatalf("nova %s: exit %d\n%s", strings.Join(args, " "), r.code, r.stderr)
	}
	return r.stdout
}

// fails runs a command line that has to fail with a code and these words.
func (s *server) fails(code int, words string, args ...string) {
	s.t.Helper()
	r := s.nova("", args...)
	if r.code != code || !strings.Contains(r.stderr, words) || r.stdout != "" {
		s.t.Errorf("nova %s: exit %d, want %d with %q\nstdout %q\nstderr %q", strings.Join(args, " "), r.code, code, words, r.stdout, r.stderr)
	}
	lines := strings.Split(strings.TrimSpace(r.stderr), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "try: ") {
		s.t.Errorf("nova %s: the last line is %q", strings.Join(args, " "), last)
	}
}

// lines are n numbered lines.
func lines(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", from+i)
	}
	return b.String()
}

// command is a command line that runs beside the test.
type command struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.Reader
	stderr bytes.Buffer
	read   []byte
}

// begin starts a command line against the server.
func (s *server) begin(args ...string) *command {
	s.t.Helper()
	c := &command{t: s.t, cmd: exec.Command(program, args...)}
	c.cmd.Env = append(os.Environ(), "NOVA_ADDR="+s.addr)
	c.cmd.Stderr = &c.stderr
	var errIn, errOut error
	c.stdin, errIn = c.cmd.StdinPipe()
	c.stdout, errOut = c.cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, c.cmd.Start()); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = c.cmd.Process.Kill() }) // it may have ended
	return c
}

func (c *command) write(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.stdin, text); err != nil {
		c.t.Fatalf("%v: %v", c.cmd.Args, err)
	}
}

// until reads what the command prints until all of it is this.
func (c *command) until(text string) {
	c.t.Helper()
	late := time.AfterFunc(patience, func() { _ = c.cmd.Process.Kill() })
	defer late.Stop()
	more := make([]byte, len(text)-len(c.read))
	n, err := io.ReadFull(c.stdout, more)
	if c.read = append(c.read, more[:n]...); string(c.read) != text {
		c.t.Fatalf("%v printed %d bytes that differ, want %d: %v", c.cmd.Args, len(c.read), len(text), err)
	}
}

// end closes the command's input and waits for its exit code.
func (c *command) end() int {
	c.t.Helper()
	late := time.AfterFunc(patience, func() { _ = c.cmd.Process.Kill() })
	defer late.Stop()
	if err := c.stdin.Close(); err != nil {
		c.t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, c.stdout) // Wait wants all of it read
	_ = c.cmd.Wait()                     // its state says how it ended
	return c.cmd.ProcessState.ExitCode()
}
