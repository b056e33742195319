package filedisk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/novastream/nova/io/disk"
	"github.com/novastream/nova/realio/datadir"
)

// formatVersion is the version of the directory's format that this program writes.
const formatVersion = 1

// Disk is an open data directory.
type Disk struct {
	dir  string // of the files
	lock *datadir.Lock
	mu   sync.Mutex // one Save at a time
}

var _ disk.Disk = (*Disk)(nil)

// Open makes the data directory where it does not exist, and locks it until Close.
// *datadir.HeldError where another process holds it, *datadir.NewerError where a newer program wrote it.
func Open(dir string) (*Disk, error) {
	lock, err := datadir.Acquire(dir, "star", formatVersion)
	if err != nil {
		return nil, err
	}
	files := filepath.Join(dir, "identity")
	if err := datadir.MkdirAll(files); err != nil {
		return nil, errors.Join(fmt.Errorf("open data directory %s: %w", dir, err), lock.Release())
	}
	return &Disk{dir: files, lock: lock}, nil
}

// Close gives the directory back.
func (d *Disk) Close() error { return d.lock.Release() }

// Load reads a file.
func (d *Disk) Load(ctx context.Context, name string) ([]byte, error) {
	path, err := d.path(ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", disk.ErrNotFound, path)
	}
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", name, err)
	}
	return data, nil
}

// Save replaces a file.
func (d *Disk) Save(ctx context.Context, name string, data []byte) error {
	path, err := d.path(ctx, name)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := datadir.WriteFile(path, data); err != nil {
		return fmt.Errorf("save %s: %w", name, err)
	}
	return nil
}

func (d *Disk) path(ctx context.Context, name string) (string, error) {
	if name == "" || !plain(name) {
		return "", fmt.Errorf("file name %q is not of [a-z-]", name)
	}
	return filepath.Join(d.dir, name), ctx.Err()
}

func plain(name string) bool {
	for _, c := range []byte(name) {
		if c != '-' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}
