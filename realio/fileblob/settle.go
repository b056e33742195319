package fileblob

import (
	"io/fs"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// youth is longer than a file system leaves a change of a directory in memory when nobody syncs it.
const youth = time.Minute

// settle makes sure that an object that was found is on disk under its name. Its creator may be another goroutine or
// process that has not synced the directory yet; a young object that this process does not know as synced is therefore
// synced by its reader. The change time of a file is that of its last link or rename.
func (s *Store) settle(path string, info fs.FileInfo) error {
	if s.settled(path, info) {
		return nil
	}
	return s.settleAll([]found{{path, info}})
}

// settled says whether an object is known to be on disk under its name.
func (s *Store) settled(path string, info fs.FileInfo) bool {
	id := identify(info)
	return id.old() || s.recent.has(path, id)
}

// found is an object that was found under a path.
type found struct {
	path string
	info fs.FileInfo
}

// settleAll syncs each directory of these objects once.
func (s *Store) settleAll(objects []found) error {
	synced := map[string]bool{}
	for _, o := range objects {
		dir := filepath.Dir(o.path)
		if !synced[dir] {
			if err := s.dirs.sync(dir); err != nil {
				return err
			}
			synced[dir] = true
		}
		s.recent.add(o.path, o.info)
	}
	return nil
}

// identity tells one file of a name from the next.
type identity struct {
	inode   uint64
	changed int64 // ns since 1970
}

func (id identity) old() bool { return time.Since(time.Unix(0, id.changed)) > youth }

func identify(info fs.FileInfo) identity {
	stat := info.Sys().(*syscall.Stat_t)
	return identity{stat.Ino, stat.Ctim.Nano()}
}

// recent are young objects that are known to be on disk, by path.
type recent struct {
	mu     sync.Mutex
	synced map[string]identity
	prune  int // at this size those that are no longer young go
}

const pruneLeast = 1024

func (r *recent) init() { r.synced, r.prune = map[string]identity{}, pruneLeast }

func (r *recent) has(path string, id identity) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.synced[path] == id
}

func (r *recent) add(path string, info fs.FileInfo) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.synced[path] = identify(info)
	if len(r.synced) < r.prune {
		return
	}
	for path, id := range r.synced {
		if id.old() {
			delete(r.synced, path)
		}
	}
	r.prune = max(pruneLeast, 2*len(r.synced))
}
