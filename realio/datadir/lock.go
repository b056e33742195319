package datadir

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const lockName = "nova.lock"

// HeldError says that another process, or another part of this one, holds the directory.
type HeldError struct {
	Dir    string
	Holder string // as the holder wrote it: "process 4711 since ..."
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("data directory %s is in use by %s: stop it first, or name another directory", e.Dir, e.Holder)
}

// Lock is a held directory.
type Lock struct{ file *os.File }

// Acquire makes the directory where it does not exist, locks it, and makes sure that it holds data of this kind in a
// version of the format that this program knows. *HeldError, *FormatError, *NewerError.
func Acquire(dir, kind string, version int) (*Lock, error) {
	if err := MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("make data directory %s: %w", dir, err)
	}
	file, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock data directory %s: %w", dir, err)
	}
	if err := hold(dir, file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if err := checkFormat(dir, kind, version); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Lock{file}, nil
}

func hold(dir string, file *os.File) error {
	err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return &HeldError{dir, holder(file)}
	}
	if err != nil {
		return fmt.Errorf("lock data directory %s: %w", dir, err)
	}
	text := fmt.Sprintf("process %d since %s\n", os.Getpid(), time.Now().Format(time.RFC3339))
	if err := errors.Join(file.Truncate(0), rewrite(file, text)); err != nil {
		return fmt.Errorf("lock data directory %s: %w", dir, err)
	}
	return nil
}

func rewrite(file *os.File, text string) error {
	_, err := file.WriteAt([]byte(text), 0)
	return err
}

// holder is what the holder wrote of itself; it may be between lock and writing.
func holder(file *os.File) string {
	text, err := io.ReadAll(io.LimitReader(file, 256))
	if name := strings.TrimSpace(string(text)); err == nil && name != "" {
		return name
	}
	return "another process"
}

// Release gives the directory back. The end of the process does too.
func (l *Lock) Release() error { return l.file.Close() }
