package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// mainMark turns the test binary into novasim.
const mainMark = "NOVASIM_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainMark) != "" {
		main()
	}
	os.Exit(m.Run())
}

// endless is a run that no test waits for.
const endless = "720h"

// stopped starts novasim, sends the signal when a first line was written into the pipe, and gives the exit code and what was told.
func stopped(t *testing.T, signal syscall.Signal, pipe string, args ...string) (code int, line, stderr string) {
	t.Helper()
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), mainMark+"=1")
	cmd.Stderr = &told
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended, unless the test failed
	begun, err := os.Open(pipe)                  // when the other end is opened
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = begun.Close() }() // it was only read
	if line, err = bufio.NewReader(begun).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), line, told.String()
}

func entries(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestSignals ends a run on either signal as one that was interrupted, and leaves no half of a file.
func TestSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		dir, pipe := t.TempDir(), filepath.Join(t.TempDir(), "trace")
		code, _, stderr := stopped(t, signal, pipe, "-duration", endless, "-history", filepath.Join(dir, "history.jsonl"), "-trace", pipe)
		if code != 3 || !strings.Contains(stderr, "interrupted") {
			t.Errorf("%v: exit code %d, stderr %q", signal, code, stderr)
		}
		if left := entries(t, dir); len(left) > 0 {
			t.Errorf("%v leaves %v", signal, left)
		}
	}
}

// TestMetaEndsItsChildren sees that no process and no file outlives a novasim meta that is told to end.
func TestMetaEndsItsChildren(t *testing.T) {
	dir := t.TempDir()
	scratch, other, pipe := filepath.Join(dir, "tmp"), filepath.Join(dir, "other"), filepath.Join(dir, "pid")
	script := fmt.Sprintf("#!/bin/sh\necho $$ > %s\nexec sleep 600\n", pipe)
	if err := errors.Join(os.Mkdir(scratch, 0o777), os.WriteFile(other, []byte(script), 0o777)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", scratch)
	code, pid, stderr := stopped(t, syscall.SIGTERM, pipe, "meta", "-duration", endless, "-other", other)
	if code != 3 || !strings.Contains(stderr, "interrupted") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if left := entries(t, scratch); len(left) > 0 {
		t.Errorf("left behind are %v", left)
	}
	child, err := strconv.Atoi(strings.TrimSpace(pid))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(child, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("its child %d lives on: %v", child, err)
	}
}
