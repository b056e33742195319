package fileblob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/novastream/nova/io/blob"
)

// List describes objects in key order. It reads the directories that can hold keys of the answer, from the one that the
// prefix names downwards.
func (s *Store) List(ctx context.Context, prefix, after string, limit int) ([]blob.Info, error) {
	if limit <= 0 {
		return nil, fmt.Errorf("%w: limit %d", blob.ErrInvalid, limit)
	}
	var infos []blob.Info
	for {
		w := walk{ctx: ctx, prefix: prefix, after: after, limit: limit - len(infos)}
		base := prefix[:strings.LastIndexByte(prefix, '/')+1]
		if base != "" && blob.CheckKey(strings.TrimSuffix(base, "/")) != nil {
			return nil, nil // no key starts like that
		}
		if err := w.dir(filepath.Join(s.root, dirPath(base)), base); err != nil {
			return nil, s.readError("list", prefix, err)
		}
		page, err := s.describe(w.keys)
		if err != nil {
			return nil, s.readError("list", prefix, err)
		}
		infos = append(infos, page...)
		if len(w.keys) < w.limit || len(infos) == limit {
			return infos, nil
		}
		after = w.keys[len(w.keys)-1] // some were deleted: the page has room for more
	}
}

// describe gives the objects of these keys that are still there, all of them on disk.
func (s *Store) describe(keys []string) ([]blob.Info, error) {
	infos := make([]blob.Info, 0, len(keys))
	var unsettled []found
	for _, key := range keys {
		path, _ := s.path(key)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted since
		}
		if err != nil {
			return nil, err
		}
		if !s.settled(path, info) {
			unsettled = append(unsettled, found{path, info})
		}
		infos = append(infos, infoOf(key, info))
	}
	return infos, s.settleAll(unsettled)
}

// walk collects the first keys of a listing.
type walk struct {
	ctx           context.Context
	prefix, after string
	limit         int
	keys          []string
}

// dir walks the directory of all keys that start with base.
func (w *walk) dir(path, base string) error {
	entries, err := w.read(path, base)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if len(w.keys) == w.limit {
			return nil
		}
		if e.object {
			w.keys = append(w.keys, e.key)
		} else if err := w.dir(filepath.Join(path, e.name), e.key); err != nil {
			return err
		}
	}
	return nil
}

// wanted says whether an entry is, or may hold, a key of the answer.
func (w *walk) wanted(e entry) bool {
	if e.object {
		return e.key > w.after && strings.HasPrefix(e.key, w.prefix)
	}
	below := e.key > w.after || strings.HasPrefix(w.after, e.key)
	return below && (strings.HasPrefix(e.key, w.prefix) || strings.HasPrefix(w.prefix, e.key))
}

// read gives the wanted entries of a directory in key order: all directories, and the first objects, as many as the answer
// has room for. It holds no more of them than twice that.
func (w *walk) read(path, base string) ([]entry, error) {
	d, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close() //nolint:errcheck // nothing was written
	var dirs, objects []entry
	room := w.limit - len(w.keys)
	for {
		if err := w.ctx.Err(); err != nil {
			return nil, err
		}
		names, err := d.Readdirnames(4096)
		if err != nil && err != io.EOF {
			return nil, err
		}
		for _, name := range names {
			e, ok := meaning(base, name)
			switch {
			case !ok || !w.wanted(e):
			case e.object:
				objects = append(objects, e)
			default:
				dirs = append(dirs, e)
			}
		}
		if len(objects) > 2*room || len(names) == 0 {
			slices.SortFunc(objects, byKey)
			objects = objects[:min(len(objects), room)]
		}
		if len(names) == 0 {
			all := append(dirs, objects...)
			slices.SortFunc(all, byKey)
			return all, nil
		}
	}
}

func byKey(a, b entry) int { return strings.Compare(a.key, b.key) }
