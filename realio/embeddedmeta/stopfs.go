package embeddedmeta

import (
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// stopFS is a file system on which no write fails: where one would, it fails the store and the goroutine stands still.
// Pebble answers errors of its log and manifest by ending the process, in one place beyond recovery (a deferred unlock
// of what is not locked), so it must not see any. Errors of reads it sees, and passes on.
type stopFS struct {
	vfs.FS
	fail func(error)
}

// stop does not return with an error.
func (f stopFS) stop(err error) {
	if err != nil {
		f.fail(err)
		select {}
	}
}

func (f stopFS) file(inner vfs.File, err error) (vfs.File, error) {
	f.stop(err)
	return stopFile{inner, f}, nil
}

// Unwrap gives the file system below.
func (f stopFS) Unwrap() vfs.FS { return f.FS }

// Create makes a file.
func (f stopFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return f.file(f.FS.Create(name, category))
}

// OpenReadWrite opens a file to change it.
func (f stopFS) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	return f.file(f.FS.OpenReadWrite(name, category, opts...))
}

// ReuseForWrite makes a file of an old one.
func (f stopFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return f.file(f.FS.ReuseForWrite(oldname, newname, category))
}

// OpenDir opens a directory to sync it.
func (f stopFS) OpenDir(name string) (vfs.File, error) {
	dir, err := f.FS.OpenDir(name)
	if err != nil {
		return nil, err // it may not exist
	}
	return stopFile{dir, f}, nil
}

// Rename moves a file.
func (f stopFS) Rename(oldname, newname string) error {
	f.stop(f.FS.Rename(oldname, newname))
	return nil
}

// MkdirAll makes a directory.
func (f stopFS) MkdirAll(dir string, perm os.FileMode) error {
	f.stop(f.FS.MkdirAll(dir, perm))
	return nil
}

// stopFile is a file of a stopFS.
type stopFile struct {
	vfs.File
	fs stopFS
}

func (f stopFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.fs.stop(err)
	return n, nil
}

func (f stopFile) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.File.WriteAt(p, off)
	f.fs.stop(err)
	return n, nil
}

func (f stopFile) Sync() error {
	f.fs.stop(f.File.Sync())
	return nil
}

func (f stopFile) SyncData() error {
	f.fs.stop(f.File.SyncData())
	return nil
}

func (f stopFile) SyncTo(length int64) (bool, error) {
	full, err := f.File.SyncTo(length)
	f.fs.stop(err)
	return full, nil
}

func (f stopFile) Close() error {
	f.fs.stop(f.File.Close())
	return nil
}
