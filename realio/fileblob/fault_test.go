package fileblob

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/novastream/nova/io/blob"
)

// faulty is an operating system that notes what is asked of it and fails at one step.
type faulty struct {
	files
	steps  []string
	failAt string // a step
	err    error
}

func (f *faulty) step(name string) error {
	f.steps = append(f.steps, name)
	if f.failAt == name {
		return f.err
	}
	return nil
}

func (f *faulty) unnamed(dir string) (*staged, error) {
	if err := f.step("unnamed"); err != nil {
		return nil, err
	}
	return f.files.unnamed(dir)
}

func (f *faulty) named(path string) (*staged, error) {
	if err := f.step("named"); err != nil {
		return nil, err
	}
	return f.files.named(path)
}

// write fails after half of the data, as a disk that fills up does.
func (f *faulty) write(s *staged, data []byte) error {
	if err := f.step("write"); err != nil {
		return errors.Join(f.files.write(s, data[:len(data)/2]), err)
	}
	return f.files.write(s, data)
}

func (f *faulty) link(s *staged, path string) error {
	if err := f.step("link"); err != nil {
		return err
	}
	return f.files.link(s, path)
}

func (f *faulty) rename(from, to string) error {
	if err := f.step("rename"); err != nil {
		return err
	}
	return f.files.rename(from, to)
}

func (f *faulty) mkdir(dir string) error {
	if err := f.step("mkdir"); err != nil {
		return err
	}
	return f.files.mkdir(dir)
}

func (f *faulty) syncDir(dir string) error {
	if err := f.step("sync " + filepath.Base(dir)); err != nil {
		return err
	}
	return f.files.syncDir(dir)
}

func (f *faulty) remove(path string) error {
	if err := f.step("remove"); err != nil {
		return err
	}
	return f.files.remove(path)
}

// The order of steps is what makes a create durable and whole; a change of this list is a change of the protocol.
func TestOrderOfSteps(t *testing.T) {
	for _, c := range []struct {
		name  string
		inner files
		want  string
	}{
		{"without a name", newOSFiles(), "mkdir, sync root, mkdir, sync a, unnamed, write, link, sync b"},
		{"with a name", osFiles{}, "mkdir, sync root, mkdir, sync a, unnamed, named, write, link, sync b"},
	} {
		f := &faulty{files: c.inner}
		s := openTest(t, filepath.Join(t.TempDir(), "root"), f)
		if outcome, err := s.PutIfAbsent(t.Context(), "a/b/k", []byte("v")); outcome != blob.Created {
			t.Fatalf("%v, %v", outcome, err)
		}
		if got := strings.Join(f.steps, ", "); got != c.want {
			t.Errorf("create %s: %s\nwant %s", c.name, got, c.want)
		}
		f.steps = nil
		if err := s.Put(t.Context(), "a/b/k", []byte("w")); err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(f.steps, ", "), "named, write, rename, sync b"; got != want {
			t.Errorf("put: %s\nwant %s", got, want)
		}
		f.steps = nil
		if err := s.Delete(t.Context(), "a/b/k", "a/none"); err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(f.steps, ", "), "remove, remove, sync b"; got != want {
			t.Errorf("delete: %s\nwant %s", got, want)
		}
	}
}

// The disk is full, or fails, at each step of a write in turn. Before the object has its name the write is refused and
// nothing is left; at the last step it is unknown. Both times a second try tells what is so.
func TestFaults(t *testing.T) {
	for _, errno := range []unix.Errno{unix.ENOSPC, unix.EIO} {
		for _, inner := range []files{newOSFiles(), osFiles{}} {
			for _, step := range []string{"mkdir", "sync a", "unnamed", "named", "write", "link", "rename", "sync b"} {
				for _, create := range []bool{true, false} {
					name := fmt.Sprintf("%v at %s of %v, create %v", errno, step, inner, create)
					f := &faulty{files: inner, failAt: step, err: &fs.PathError{Op: step, Path: "somewhere", Err: errno}}
					s := openTest(t, filepath.Join(t.TempDir(), "root"), f)
					testFault(t, name, s, f, errno, create)
				}
			}
		}
	}
}

func testFault(t *testing.T, name string, s *Store, f *faulty, errno unix.Errno, create bool) {
	t.Helper()
	write := func() (blob.Outcome, error) {
		if create {
			return s.PutIfAbsent(t.Context(), "a/b/k", []byte("value"))
		}
		err := s.Put(t.Context(), "a/b/k", []byte("value"))
		if err != nil {
			return blob.Unknown, err
		}
		return blob.Created, nil
	}
	outcome, err := write()
	if !slices.Contains(f.steps, f.failAt) {
		if outcome != blob.Created {
			t.Errorf("%s: the step did not come, yet: %v, %v", name, outcome, err)
		}
		return
	}
	unknown := f.failAt == "sync b" || errno == unix.EIO && (f.failAt == "link" || f.failAt == "rename")
	if outcome != blob.Unknown || !errors.Is(err, errno) || errors.Is(err, blob.ErrUnknown) != unknown || errors.Is(err, blob.ErrUnavailable) == unknown {
		t.Errorf("%s: %v, %v; unknown should be %v", name, outcome, err, unknown)
	}
	if !strings.Contains(fmt.Sprint(err), s.root) || strings.Contains(fmt.Sprint(err), "disk is full") != (errno == unix.ENOSPC) {
		t.Errorf("%s: %v does not say what to do where", name, err)
	}
	if left := names(t, filepath.Join(s.root, tmpDir)); len(left) != 1 {
		t.Errorf("%s: %q is left", name, left)
	}
	infos, err := s.List(t.Context(), "", "", 10)
	if f.failAt == "sync b" {
		if err == nil {
			t.Errorf("%s: an object was shown that may not be on disk", name)
		}
	} else if err != nil || len(infos) != 0 {
		t.Errorf("%s: a refused write left %v, %v", name, infos, err)
	}

	want := blob.Created
	if create && f.failAt == "sync b" {
		want = blob.Exists
	}
	f.failAt = "" // there is room again
	if outcome, err := write(); outcome != want || err != nil {
		t.Errorf("%s: second try: %v, %v, want %v", name, outcome, err, want)
	}
	if data, err := s.Get(t.Context(), "a/b/k", blob.All()); err != nil || string(data) != "value" {
		t.Errorf("%s: after all %q, %v", name, data, err)
	}
}
