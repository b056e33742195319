package fileblob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/novastream/nova/io/blob"
)

// PutIfAbsent creates an object.
func (s *Store) PutIfAbsent(ctx context.Context, key string, data []byte) (blob.Outcome, error) {
	if err := blob.CheckKey(key); err != nil {
		return blob.Unknown, err
	}
	if err := ctx.Err(); err != nil {
		return blob.Unknown, fmt.Errorf("%w: %w", blob.ErrUnavailable, err)
	}
	if _, err := s.head(key); err == nil {
		return blob.Exists, nil
	}
	path, dir := s.path(key)
	f, err := s.stage(dir, data)
	if err != nil {
		return blob.Unknown, s.writeError("create", key, blob.ErrUnavailable, err)
	}
	err = s.files.link(f, path)
	_ = f.discard() // a name that stays is swept by the next Open
	if errors.Is(err, fs.ErrExist) {
		if _, err := s.head(key); err != nil { // it is there, or was; it must be on disk before anybody is told
			return blob.Unknown, s.writeError("create", key, blob.ErrUnavailable, err)
		}
		return blob.Exists, nil
	}
	if err != nil {
		return blob.Unknown, s.writeError("create", key, s.refusal(dir, err), err)
	}
	// A crash from here on leaves the object or, before the sync, perhaps nothing.
	if err := s.dirs.sync(dir); err != nil {
		return blob.Unknown, s.writeError("create", key, blob.ErrUnknown, err)
	}
	s.recent.add(path, f.info)
	return blob.Created, nil
}

// Put creates or replaces an object.
func (s *Store) Put(ctx context.Context, key string, data []byte) error {
	if err := blob.CheckKey(key); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", blob.ErrUnavailable, err)
	}
	path, dir := s.path(key)
	if err := s.dirs.ensure(s.root, dir); err != nil {
		return s.writeError("put", key, blob.ErrUnavailable, err)
	}
	f, err := s.files.named(s.tmp.next())
	if err == nil {
		err = s.fill(f, data)
	}
	if err != nil {
		return s.writeError("put", key, blob.ErrUnavailable, err)
	}
	if err := s.files.rename(f.name, path); err != nil {
		return s.writeError("put", key, s.refusal(dir, err), errors.Join(err, f.discard()))
	}
	// A crash from here on leaves the new object or, before the sync, perhaps the old one.
	f.name = "" // it is the object now
	_ = f.discard()
	if err := s.dirs.sync(dir); err != nil {
		return s.writeError("put", key, blob.ErrUnknown, err)
	}
	return nil
}

// stage makes a file with the data on disk, in the file system of dir but under no name that anybody reads.
func (s *Store) stage(dir string, data []byte) (*staged, error) {
	for retried := false; ; retried = true {
		if err := s.dirs.ensure(s.root, dir); err != nil {
			return nil, err
		}
		f, err := s.files.unnamed(dir)
		if errors.Is(err, fs.ErrNotExist) && !retried { // somebody removed the directory since it was ensured
			s.dirs.forget(dir)
			continue
		}
		if errors.Is(err, errNoUnnamed) {
			f, err = s.files.named(s.tmp.next())
		}
		if err != nil {
			return nil, err
		}
		return f, s.fill(f, data)
	}
}

// fill writes and syncs a staged file, or discards it.
func (s *Store) fill(f *staged, data []byte) error {
	err := s.files.write(f, data)
	if err != nil {
		return errors.Join(err, f.discard())
	}
	return nil
}

func (s *Store) writeError(what, key string, kind, err error) error {
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		return fmt.Errorf("%w: store %s: %s %s: the disk is full, make room there: %w", kind, s.root, what, key, err)
	}
	return fmt.Errorf("%w: store %s: %s %s: %w", kind, s.root, what, key, err)
}

// refusal is the kind of error that a failed link or rename is: refused for a reason that proves that nothing changed, or
// unknown.
func (s *Store) refusal(dir string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		s.dirs.forget(dir) // somebody removed it
	}
	for _, definite := range []unix.Errno{
		unix.ENOSPC, unix.EDQUOT, unix.ENOENT, unix.ENOTDIR, unix.EACCES, unix.EPERM, unix.EROFS, unix.EMLINK, unix.ENAMETOOLONG, unix.EXDEV,
	} {
		if errors.Is(err, definite) {
			return blob.ErrUnavailable
		}
	}
	return blob.ErrUnknown
}

// staged is a file on its way to become an object.
type staged struct {
	file *os.File
	name string      // empty where it has none, or no longer
	info fs.FileInfo // after link
}

// discard gives up what the store holds of a staged file; its name, where it has one, goes.
func (f *staged) discard() error {
	err := f.file.Close()
	if f.name != "" {
		err = errors.Join(err, os.Remove(f.name))
	}
	return err
}
