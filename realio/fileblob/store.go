package fileblob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/novastream/nova/io/blob"
	"github.com/novastream/nova/realio/datadir"
)

// formatVersion is the version of the directory's format that this program writes.
const formatVersion = 1

// Store is an object store in a directory. It is safe for any number of goroutines.
type Store struct {
	root   string
	files  files
	tmp    *tmp
	dirs   dirs
	recent recent
}

var _ blob.Store = (*Store)(nil)

// Open opens the store in a directory, which it makes where it does not exist, and removes what crashed puts left.
// *datadir.NewerError where a newer program wrote it, *datadir.FormatError where it is no store.
func Open(root string) (*Store, error) {
	return open(root, newOSFiles())
}

func open(root string, files files) (*Store, error) {
	if err := datadir.MkdirAll(filepath.Join(root, tmpDir)); err != nil {
		return nil, fmt.Errorf("open object store %s: %w", root, err)
	}
	if err := datadir.CheckFormat(root, formatFile, "object store", formatVersion); err != nil {
		return nil, err
	}
	tmp, err := openTmp(filepath.Join(root, tmpDir))
	if err != nil {
		return nil, fmt.Errorf("open object store %s: %w", root, err)
	}
	s := &Store{root: root, files: files, tmp: tmp}
	s.dirs.init(files)
	s.recent.init()
	return s, nil
}

// Close gives back what the store holds; no call may be under way. The end of the process does too.
func (s *Store) Close() error { return s.tmp.close() }

// path is where an object is, and in which directory.
func (s *Store) path(key string) (path, dir string) {
	path = filepath.Join(s.root, filePath(key))
	return path, filepath.Dir(path)
}

// Get reads a range of an object.
func (s *Store) Get(ctx context.Context, key string, r blob.Range) ([]byte, error) {
	if err := errors.Join(blob.CheckKey(key), ctx.Err()); err != nil {
		return nil, err
	}
	path, _ := s.path(key)
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, s.readError("open", key, err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	info, err := f.Stat()
	if err != nil {
		return nil, s.readError("stat", key, err)
	}
	if err := s.settle(path, info); err != nil {
		return nil, s.readError("sync the directory of", key, err)
	}
	offset, length, err := r.Within(info.Size())
	if err != nil {
		return nil, fmt.Errorf("%w: %s has %d bytes", err, key, info.Size())
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(io.NewSectionReader(f, offset, length), data); err != nil {
		return nil, s.readError("read", key, err)
	}
	return data, nil
}

// Head describes an object.
func (s *Store) Head(ctx context.Context, key string) (blob.Info, error) {
	if err := errors.Join(blob.CheckKey(key), ctx.Err()); err != nil {
		return blob.Info{}, err
	}
	return s.head(key)
}

func (s *Store) head(key string) (blob.Info, error) {
	path, _ := s.path(key)
	info, err := os.Lstat(path)
	if err != nil {
		return blob.Info{}, s.readError("stat", key, err)
	}
	if err := s.settle(path, info); err != nil {
		return blob.Info{}, s.readError("sync the directory of", key, err)
	}
	return infoOf(key, info), nil
}

func infoOf(key string, info fs.FileInfo) blob.Info {
	return blob.Info{Key: key, SizeBytes: info.Size(), Modified: info.ModTime()}
}

func (s *Store) readError(what, key string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s", blob.ErrNotFound, key)
	}
	return fmt.Errorf("%w: store %s: %s %s: %w", blob.ErrUnavailable, s.root, what, key, err)
}

// Delete removes objects, and syncs each of their directories once.
func (s *Store) Delete(ctx context.Context, keys ...string) error {
	for _, key := range keys {
		if err := blob.CheckKey(key); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", blob.ErrUnavailable, err)
	}
	var touched []string
	seen := map[string]bool{}
	for i, key := range keys {
		path, dir := s.path(key)
		err := s.files.remove(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%w: store %s: delete %s, number %d of %d: %w", blob.ErrUnknown, s.root, key, i+1, len(keys), err)
		}
		if !seen[dir] {
			seen[dir] = true
			touched = append(touched, dir)
		}
	}
	for _, dir := range touched {
		if err := s.dirs.sync(dir); err != nil {
			return fmt.Errorf("%w: store %s: sync after a delete: %w", blob.ErrUnknown, s.root, err)
		}
	}
	return nil
}
