package fileblob

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// tmp is this process's share of the directory of files being put: those whose names start with its token. It holds the
// lock of the file of that name for as long as it lives.
type tmp struct {
	dir   string
	token string
	lock  *os.File
	count atomic.Uint64
}

const lockSuffix = ".lock"

// openTmp removes what processes left that are gone, and begins a share.
func openTmp(dir string) (*tmp, error) {
	if err := sweep(dir); err != nil {
		return nil, err
	}
	for {
		t := &tmp{dir: dir, token: strings.ToLower(rand.Text())}
		var err error
		if t.lock, err = os.OpenFile(t.lockPath(), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644); err != nil {
			return nil, err
		}
		if err := unix.Flock(int(t.lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err == nil && t.holds() {
			return t, nil
		}
		_ = t.lock.Close() // a sweep took the file for a leftover before it was locked
	}
}

func (t *tmp) lockPath() string { return filepath.Join(t.dir, t.token+lockSuffix) }

// holds says whether the locked file is still the one of its name.
func (t *tmp) holds() bool {
	mine, err := t.lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(t.lockPath())
	return err == nil && os.SameFile(mine, named)
}

// next is a name that nobody else uses.
func (t *tmp) next() string {
	return filepath.Join(t.dir, fmt.Sprintf("%s-%d", t.token, t.count.Add(1)))
}

func (t *tmp) close() error {
	return errors.Join(os.Remove(t.lockPath()), t.lock.Close())
}

// sweep removes the files of shares that nobody holds.
func sweep(dir string) error {
	names, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range names {
		token, isLock := strings.CutSuffix(entry.Name(), lockSuffix)
		if !isLock {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(dir, entry.Name()), os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another sweep was here
		}
		if err != nil {
			return err
		}
		if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			err = sweepShare(dir, token)
		}
		if err := errors.Join(err, lock.Close()); err != nil {
			return err
		}
	}
	return nil
}

// sweepShare removes the files of one share, its lock file last.
func sweepShare(dir, token string) error {
	left, err := filepath.Glob(filepath.Join(dir, token+"-*"))
	if err != nil {
		return err
	}
	for _, path := range append(left, filepath.Join(dir, token+lockSuffix)) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
