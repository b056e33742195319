package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
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

// stopped starts novasim, sends the signal when ready says so, and gives the exit code and stderr.
func stopped(t *testing.T, signal syscall.Signal, ready func() bool, args ...string) (code int, stderr string) {
	t.Helper()
	var told strings.Builder
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), mainMark+"=1")
	cmd.Stderr = &told
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended, unless the test failed
	for deadline := time.Now().Add(30 * time.Second); !ready(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("novasim %v did not begin", args)
		}
	}
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), told.String()
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
		dir := t.TempDir()
		begun := func() bool { return len(entries(t, dir)) > 0 }
		code, stderr := stopped(t, signal, begun, "-duration", endless, "-history", filepath.Join(dir, "history.jsonl"))
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
	scratch, other, pid := filepath.Join(dir, "tmp"), filepath.Join(dir, "other"), filepath.Join(dir, "pid")
	script := fmt.Sprintf("#!/bin/sh\necho $$ > %s.new; mv %[1]s.new %[1]s\nexec sleep 600\n", pid)
	if err := errors.Join(os.Mkdir(scratch, 0o777), os.WriteFile(other, []byte(script), 0o777)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", scratch)
	begun := func() bool { _, err := os.Stat(pid); return err == nil }
	code, stderr := stopped(t, syscall.SIGTERM, begun, "meta", "-duration", endless, "-other", other)
	if code != 3 || !strings.Contains(stderr, "interrupted") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if left := entries(t, scratch); len(left) > 0 {
		t.Errorf("left behind are %v", left)
	}
	text, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(child, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("its child %d lives on: %v", child, err)
	}
}
