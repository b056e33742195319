package fileblob

import (
	"path/filepath"
	"sync"
)

// dirs makes directories and their names durable.
type dirs struct {
	files files
	mu    sync.Mutex
	// ensured are the directories whose own name is on disk.
	ensured map[string]bool
	// syncing are the syncs under way, by directory, and those that follow them.
	syncing map[string]*syncs
}

func (d *dirs) init(files files) {
	d.files, d.ensured, d.syncing = files, map[string]bool{}, map[string]*syncs{}
}

// ensure makes a directory below root. Its name, and those above it, are on disk when it returns, whoever made them.
func (d *dirs) ensure(root, dir string) error {
	d.mu.Lock()
	done := dir == root || d.ensured[dir]
	d.mu.Unlock()
	if done {
		return nil
	}
	parent := filepath.Dir(dir)
	if err := d.ensure(root, parent); err != nil {
		return err
	}
	if err := d.files.mkdir(dir); err != nil {
		return err
	}
	if err := d.sync(parent); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ensured[dir] = true
	return nil
}

// forget lets a directory, and those above it, be ensured again.
func (d *dirs) forget(dir string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for ; d.ensured[dir]; dir = filepath.Dir(dir) {
		delete(d.ensured, dir)
	}
}

// syncs are the syncs of one directory: at most one runs, and all callers that come meanwhile share the next.
type syncs struct {
	running, next *oneSync
}

type oneSync struct {
	done chan struct{}
	err  error
}

// sync makes durable what the directory names when it is called. Any number of callers share two syncs.
func (d *dirs) sync(dir string) error {
	d.mu.Lock()
	s := d.syncing[dir]
	if s == nil {
		mine := &oneSync{done: make(chan struct{})}
		s = &syncs{running: mine}
		d.syncing[dir] = s
		d.mu.Unlock()
		return d.run(dir, s, mine)
	}
	if s.next != nil { // it has not begun, so it sees what the caller did
		shared := s.next
		d.mu.Unlock()
		<-shared.done
		return shared.err
	}
	mine, before := &oneSync{done: make(chan struct{})}, s.running
	s.next = mine
	d.mu.Unlock()
	<-before.done
	return d.run(dir, s, mine)
}

// run runs the sync that is s.running or, until here, s.next.
func (d *dirs) run(dir string, s *syncs, mine *oneSync) error {
	d.mu.Lock()
	if s.next == mine {
		s.running, s.next = mine, nil
	}
	d.mu.Unlock()
	mine.err = d.files.syncDir(dir)
	d.mu.Lock()
	if s.next == nil {
		delete(d.syncing, dir)
	}
	d.mu.Unlock()
	close(mine.done)
	return mine.err
}
