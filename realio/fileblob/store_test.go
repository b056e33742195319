package fileblob

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/io/iotest"
	"github.com/novastream/nova/realio/datadir"
	"github.com/novastream/nova/realio/runtime"
)

func openTest(t *testing.T, root string, files files) *Store {
	t.Helper()
	s, err := open(root, files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func runSuite(t *testing.T, files files) {
	for _, c := range iotest.Blob() {
		t.Run(c.Name, func(t *testing.T) {
			s := openTest(t, t.TempDir(), files)
			r := runtime.New(runtime.Config{})
			_ = r.Do(r.Context(), "case", func(ctx context.Context) {
				c.Run(iotest.BlobHarness{Harness: iotest.Harness{T: t, Ctx: ctx, Run: r}, Store: r.Blob(s)})
			})
			if err := r.Stop(time.Minute); err != nil {
				t.Error(err)
			}
			if left := names(t, filepath.Join(s.root, tmpDir)); len(left) != 1 {
				t.Errorf("%q is left in %s beside the lock", left, tmpDir)
			}
		})
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestConformance(t *testing.T) { runSuite(t, newOSFiles()) }

// The same where a file system has no files without a name.
func TestConformanceNamed(t *testing.T) { runSuite(t, osFiles{proc: false}) }

// Several processes create in one directory: each key has one creator among all.
func TestSharedDirectory(t *testing.T) {
	root := t.TempDir()
	stores := []*Store{openTest(t, root, newOSFiles()), openTest(t, root, newOSFiles()), openTest(t, root, osFiles{})}
	for round := range 20 {
		key := fmt.Sprintf("a/%d/k", round)
		created := make(chan int, 32)
		var done sync.WaitGroup
		for i := range 32 {
			done.Go(func() {
				outcome, err := stores[i%3].PutIfAbsent(t.Context(), key, fmt.Append(nil, i))
				if err != nil {
					t.Error(err)
				}
				if outcome == blob.Created {
					created <- i
				}
			})
		}
		done.Wait()
		close(created)
		winner := <-created
		if other, more := <-created; more {
			t.Fatalf("%d and %d both created %s", winner, other, key)
		}
		if data, err := stores[1].Get(t.Context(), key, blob.All()); err != nil || string(data) != fmt.Sprint(winner) {
			t.Errorf("%s holds %q, %v; %d created it", key, data, err, winner)
		}
	}
}

func TestSweep(t *testing.T) {
	root := t.TempDir()
	alive := openTest(t, root, newOSFiles())
	living := alive.tmp.next()
	dead := filepath.Join(root, tmpDir, "dead")
	for _, path := range []string{living, dead + "-1", dead + "-2", dead + lockSuffix} {
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	second := openTest(t, root, newOSFiles())
	for _, name := range names(t, filepath.Join(root, tmpDir)) {
		if strings.HasPrefix(name, "dead") {
			t.Errorf("%s is left", name)
		}
	}
	if _, err := os.Stat(living); err != nil {
		t.Errorf("a file of a living process was swept: %v", err)
	}
	if err := errors.Join(alive.Put(t.Context(), "k", []byte("1")), second.Put(t.Context(), "k", []byte("2"))); err != nil {
		t.Error(err)
	}
}

func TestForeignDirectories(t *testing.T) {
	newer := t.TempDir()
	if err := os.WriteFile(filepath.Join(newer, formatFile), []byte("object store 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open(newer)
	var newerErr *datadir.NewerError
	if !errors.As(err, &newerErr) {
		t.Errorf("open of a newer store: %v", err)
	}
	s := openTest(t, t.TempDir(), newOSFiles())
	if err := s.Put(t.Context(), "a/k", []byte("v")); err != nil {
		t.Fatal(err)
	}
	for _, stranger := range []string{"README.md,", "a/x y@", "a/,,", "lost+found", "a/é@"} {
		if err := os.Mkdir(filepath.Join(s.root, stranger), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	infos, err := s.List(t.Context(), "", "", 10)
	if err != nil || len(infos) != 1 || infos[0].Key != "a/k" {
		t.Errorf("list among strangers: %v, %v", infos, err)
	}
}

// A directory that somebody removed under the store is made again.
func TestRemovedDirectory(t *testing.T) {
	s := openTest(t, t.TempDir(), newOSFiles())
	for i := range 3 {
		if outcome, err := s.PutIfAbsent(t.Context(), "a/b/c/k", nil); outcome != blob.Created {
			t.Fatalf("create %d: %v, %v", i, outcome, err)
		}
		if err := os.RemoveAll(filepath.Join(s.root, "a")); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Put(t.Context(), "a/b/c/k", nil); err == nil {
		t.Error("put into a directory that is gone")
	}
	if err := s.Put(t.Context(), "a/b/c/k", nil); err != nil {
		t.Errorf("put after that: %v", err)
	}
}
