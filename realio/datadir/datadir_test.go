package datadir_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/novastream/nova/realio/datadir"
)

// holdEnv makes the test binary hold a directory, say so, and wait until its input ends.
const holdEnv = "NOVA_TEST_HOLD_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdEnv); dir != "" {
		if _, err := datadir.Acquire(dir, "thing", 1); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestOneHolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	lock, err := datadir.Acquire(dir, "thing", 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = datadir.Acquire(dir, "thing", 1)
	var held *datadir.HeldError
	if !errors.As(err, &held) || held.Dir != dir || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Fatalf("second holder: %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	lock, err = datadir.Acquire(dir, "thing", 1)
	if err != nil {
		t.Fatalf("after release: %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
}

// Another process that holds the directory is named; once it is killed the directory is free.
func TestHolderDies(t *testing.T) {
	dir := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), holdEnv+"="+dir)
	if _, err := child.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatalf("child said %q, %v", line, err)
	}
	_, err = datadir.Acquire(dir, "thing", 1)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s is in use by process %d", dir, child.Process.Pid)) {
		t.Errorf("while a child holds: %v", err)
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	lock, err := datadir.Acquire(dir, "thing", 1)
	if err != nil {
		t.Fatalf("after the holder died: %v", err)
	}
	_ = lock.Release()
}

func TestFormats(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"thing 2\n", ""},
		{"thing 1\n", ""},
		{"thing 3\n", "holds a thing of format 3, this program knows formats up to 2"},
		{"other 1\n", `does not hold a thing, its format file says "other 1"`},
		{"thing x\n", `its format file is damaged, it says "thing x"`},
		{"2", `its format file is damaged`},
		{"", `its format file is damaged`},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "nova.format"), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		lock, err := datadir.Acquire(dir, "thing", 2)
		if err == nil {
			_ = lock.Release()
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("format %q: %v, want %q", c.text, err, c.want)
		}
		if text, _ := os.ReadFile(filepath.Join(dir, "nova.format")); string(text) != c.text {
			t.Errorf("format %q was changed to %q", c.text, text)
		}
	}
}

func TestANewerFormatIsNamedWithItsArticle(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("object store 9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := datadir.CheckFormat(dir, "f", "object store", 1)
	var newer *datadir.NewerError
	if !errors.As(err, &newer) || !strings.Contains(err.Error(), "holds an object store of format 9") {
		t.Errorf("it says: %v", err)
	}
}

func TestWriteFileReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, text := range []string{"one", "", "three"} {
		if err := datadir.WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("got %q, %v, want %q", got, err, text)
		}
	}
	if err := datadir.MkdirAll(filepath.Join(path, "below")); err == nil {
		t.Error("made a directory below a file")
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	if len(entries) != 1 {
		t.Errorf("%d files are left, want 1", len(entries))
	}
}
