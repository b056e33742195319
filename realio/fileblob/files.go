package fileblob

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/novastream/nova/realio/datadir"
)

// errNoUnnamed says that this file system, or system, has no files without a name.
var errNoUnnamed = errors.New("no files without a name")

// files is what the store does to the file system when it writes. Tests make it fail.
type files interface {
	unnamed(dir string) (*staged, error) // errNoUnnamed
	named(path string) (*staged, error)
	write(f *staged, data []byte) error // and sync
	link(f *staged, path string) error  // fs.ErrExist
	rename(from, to string) error
	remove(path string) error
	mkdir(dir string) error // it may exist
	syncDir(dir string) error
}

// osFiles is the operating system.
type osFiles struct {
	proc bool // files without a name can be linked by their names in /proc
}

const procFiles = "/proc/self/fd"

func newOSFiles() osFiles {
	_, err := os.Stat(procFiles)
	return osFiles{proc: err == nil}
}

func (o osFiles) unnamed(dir string) (*staged, error) {
	if !o.proc {
		return nil, errNoUnnamed
	}
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o644)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.EISDIR) {
		return nil, errNoUnnamed
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: dir, Err: err}
	}
	return &staged{file: os.NewFile(uintptr(fd), dir)}, nil
}

func (osFiles) named(path string) (*staged, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	return &staged{file: f, name: path}, nil
}

func (osFiles) write(f *staged, data []byte) error {
	if _, err := f.file.Write(data); err != nil {
		return err
	}
	for {
		if err := unix.Fdatasync(int(f.file.Fd())); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func (osFiles) link(f *staged, path string) (err error) {
	if f.name == "" {
		named := filepath.Join(procFiles, strconv.Itoa(int(f.file.Fd())))
		err = unix.Linkat(unix.AT_FDCWD, named, unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
	} else {
		err = unix.Linkat(unix.AT_FDCWD, f.name, unix.AT_FDCWD, path, 0)
	}
	if err != nil {
		return &os.LinkError{Op: "link", Old: f.file.Name(), New: path, Err: err}
	}
	f.info, err = f.file.Stat()
	return err
}

func (osFiles) rename(from, to string) error { return os.Rename(from, to) }

func (osFiles) remove(path string) error { return os.Remove(path) }

func (osFiles) mkdir(dir string) error {
	if err := os.Mkdir(dir, 0o755); !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

func (osFiles) syncDir(dir string) error { return datadir.SyncDir(dir) }
