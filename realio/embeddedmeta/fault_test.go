package embeddedmeta

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/novastream/nova/io/meta"
)

// full is a disk that fills up: from then on the operations of its kind fail.
type full struct {
	now   atomic.Bool
	kind  errorfs.OpKind
	where string // suffix of the files
}

func (f *full) String() string { return "full" }

func (f *full) MaybeError(op errorfs.Op) error {
	if f.now.Load() && op.Kind == f.kind && strings.HasSuffix(op.Path, f.where) {
		return &os.PathError{Op: "write", Path: op.Path, Err: syscall.ENOSPC}
	}
	return nil
}

// The disk fills up under each kind of file. Whatever pebble makes of it, the store says so in errors and does not stand
// still, and what it had answered is there after a restart.
func TestFullDisk(t *testing.T) {
	for _, c := range []struct {
		name string
		disk *full
	}{
		{"write of the log", &full{kind: errorfs.OpFileWrite, where: ".log"}},
		{"sync of the log", &full{kind: errorfs.OpFileSyncData, where: ".log"}},
		{"new log", &full{kind: errorfs.OpCreate, where: ".log"}},
		{"new table", &full{kind: errorfs.OpCreate, where: ".sst"}},
		{"write of a table", &full{kind: errorfs.OpFileWrite, where: ".sst"}},
		{"write of the manifest", &full{kind: errorfs.OpFileWrite, where: ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "write of the manifest" {
				c.disk.where = "MANIFEST-000001"
			}
			mem := vfs.NewCrashableMem()
			s := must[*Store](t)(open("db", errorfs.Wrap(mem, c.disk), slog.New(slog.DiscardHandler)))
			m := s.Client().Spaces().Records
			c.disk.now.Store(true)
			acked := 0
			var err error
			for ; err == nil; acked++ {
				if acked == 200 {
					t.Fatal("200 MiB went to a full disk")
				}
				_, err = m.Put(t.Context(), fmt.Sprintf("p/%03d", acked), bytes.Repeat([]byte{byte(acked)}, 1<<20), meta.Absent())
			}
			acked--
			if !errors.Is(err, meta.ErrUnknown) && !errors.Is(err, meta.ErrUnavailable) || !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("write that found the disk full: %v", err)
			}
			if _, err := m.Put(t.Context(), "p/late", nil, meta.Any()); !errors.Is(err, meta.ErrUnavailable) || !strings.Contains(err.Error(), "free space") {
				t.Errorf("write after the disk was found full: %v", err)
			}
			if _, err := m.Get(t.Context(), "p/000"); !errors.Is(err, meta.ErrUnavailable) {
				t.Errorf("read after the disk was found full: %v", err)
			}
			if err := s.Close(); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("close: %v", err)
			}

			s = must[*Store](t)(open("db", mem.CrashClone(vfs.CrashCloneCfg{}), nil))
			m = s.Client().Spaces().Records
			for i := range acked {
				if rec, err := m.Get(t.Context(), fmt.Sprintf("p/%03d", i)); err != nil || len(rec.Value) != 1<<20 || rec.Value[9] != byte(i) {
					t.Errorf("row %d, which was answered: %d bytes, %v", i, len(rec.Value), err)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Damaged files are refused or reported; nothing panics and nothing wrong is read.
func TestDamage(t *testing.T) {
	for _, pattern := range []string{"MANIFEST-*", "*.sst", "marker.manifest*", "OPTIONS-*"} {
		t.Run(pattern, func(t *testing.T) {
			dir := t.TempDir()
			for range 2 { // the second opening moves what the first one logged into a table
				s := openTest(t, dir)
				must[meta.Version](t)(s.Client().Spaces().Records.Put(t.Context(), "p/k", bytes.Repeat([]byte("v"), 5000), meta.Any()))
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			damage(t, filepath.Join(dir, "db"), pattern)
			s, err := Open(dir, slog.New(slog.DiscardHandler))
			if err != nil {
				return
			}
			rec, err := s.Client().Spaces().Records.Get(t.Context(), "p/k")
			if err == nil && len(rec.Value) != 5000 || err != nil && !errors.Is(err, meta.ErrUnavailable) {
				t.Errorf("read of a damaged store: %d bytes, %v", len(rec.Value), err)
			}
			_ = s.Close()
		})
	}
}

// A log that is damaged before its end is refused: what comes after the damage was answered.
func TestDamagedLog(t *testing.T) {
	dir, crashed := t.TempDir(), t.TempDir()
	s := openTest(t, dir)
	for range 20 {
		must[meta.Version](t)(s.Client().Spaces().Records.Put(t.Context(), "p/k", bytes.Repeat([]byte("v"), 5000), meta.Any()))
	}
	if err := os.CopyFS(crashed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(crashed, "db", "*.log"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("logs: %q, %v", paths, err)
	}
	last := paths[len(paths)-1] // the first may wait to be used again
	data, err := os.ReadFile(last)
	if err != nil || len(data) < 100_000 {
		t.Fatalf("log of %d bytes, %v", len(data), err)
	}
	data[50_000] ^= 1
	if err := os.WriteFile(last, data, fs.ModePerm); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(crashed, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), crashed) {
		t.Errorf("open with a damaged log: %v", err)
	}
}

// damage turns every second byte of the files of a pattern.
func damage(t *testing.T, dir, pattern string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no file %s: %v", pattern, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(data); i += 2 {
			data[i] ^= 0x55
		}
		if err := os.WriteFile(path, data, fs.ModePerm); err != nil {
			t.Fatal(err)
		}
	}
}
