package embeddedmeta

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/novastream/nova/io/meta"
	"github.com/novastream/nova/realio/datadir"
)

// formatVersion is the version of the directory's format that this program writes.
const formatVersion = 1

var errClosed = errors.New("the metastore is closed")

// Store is an open metastore. It serves any number of clients.
type Store struct {
	where string // for messages
	log   *slog.Logger
	lock  *datadir.Lock // nil in memory
	db    *pebble.DB

	requests chan *request
	syncs    chan syncing
	workers  sync.WaitGroup // committer and syncer
	reads    sync.RWMutex   // held shared by reads of db, exclusively to close it
	durable  watermark
	barrier  atomic.Int64 // version of the last commit that made something absent

	endOnce sync.Once
	ended   chan struct{} // closed when the store serves no more
	cause   error         // why; set before ended is closed
	// broken is closed when pebble cannot go on. Goroutines of pebble may stand still from then on, with its locks held.
	breakOnce sync.Once
	broken    chan struct{}
	brokenBy  error // set before broken is closed
}

// Open opens the metastore in a directory, which it makes where it does not exist, and locks it until Close.
// *datadir.HeldError where another process holds it, *datadir.NewerError where a newer program wrote it. log may be nil.
func Open(dir string, log *slog.Logger) (*Store, error) {
	lock, err := datadir.Acquire(dir, "metastore", formatVersion)
	if err != nil {
		return nil, err
	}
	s, err := open(filepath.Join(dir, "db"), vfs.Default, log)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open metastore %s: %w", dir, err), lock.Release())
	}
	s.lock = lock
	return s, nil
}

// OpenMemory opens a metastore that is gone when it is closed.
func OpenMemory(log *slog.Logger) (*Store, error) { return open("memory", vfs.NewMem(), log) }

func open(dir string, fs vfs.FS, log *slog.Logger) (*Store, error) {
	if log == nil {
		log = slog.Default()
	}
	s := &Store{
		where:    dir,
		log:      log,
		requests: make(chan *request),
		syncs:    make(chan syncing, maxSyncing),
		ended:    make(chan struct{}),
		broken:   make(chan struct{}),
	}
	first, err := s.start(fs)
	if err != nil {
		return nil, err
	}
	s.durable.rise(first) // what was recovered is on disk: pebble flushed it, and the boot was synced after it
	s.workers.Go(func() { newCommitter(s, first).run() })
	s.workers.Go(s.runSyncer)
	return s, nil
}

// start opens pebble and boots, on a goroutine of its own, because a pebble that cannot go on stops the goroutine it says
// so on. It gives the version before the first one of this opening.
func (s *Store) start(fs vfs.FS) (meta.Version, error) {
	type started struct {
		db    *pebble.DB
		first meta.Version
		err   error
	}
	done := make(chan started, 1)
	go func() {
		db, err := pebble.Open(s.where, s.options(fs))
		if err != nil {
			done <- started{err: err}
			return
		}
		first, err := boot(db)
		if err != nil {
			err = errors.Join(err, db.Close())
		}
		done <- started{db, first, err}
	}()
	select {
	case began := <-done:
		s.db = began.db
		return began.first, began.err
	case <-s.broken:
		return 0, s.brokenBy
	}
}

// Close closes the metastore. Calls in flight are unknown, later ones unavailable. A store that failed gives the cause and
// stays locked until the process ends, because pebble may be at work in it.
func (s *Store) Close() error {
	if !s.end(errClosed) {
		return s.cause
	}
	if err := s.shut(); err != nil {
		return err
	}
	if s.lock != nil {
		return s.lock.Release()
	}
	return nil
}

// shut closes pebble once nothing uses it, unless it breaks meanwhile. All is flushed before: a table tells damage from
// an end, a log cannot always.
func (s *Store) shut() error {
	done := make(chan error, 1)
	go func() {
		s.workers.Wait()
		s.reads.Lock()
		defer s.reads.Unlock()
		done <- errors.Join(s.db.Flush(), s.db.Close())
	}()
	select {
	case err := <-done:
		return err
	case <-s.broken:
		return s.brokenBy
	}
}

// end ends the service. Only its first call counts; it says whether it was that.
func (s *Store) end(why error) (first bool) {
	s.endOnce.Do(func() {
		s.cause, first = why, true
		close(s.ended)
	})
	return first
}

// fail ends the service because pebble cannot go on.
func (s *Store) fail(err error) {
	s.breakOnce.Do(func() {
		s.log.Error("metastore stopped working", "dir", s.where, "err", err)
		s.brokenBy = fmt.Errorf("metastore %s stopped working, free space or repair the disk and start again: %w", s.where, err)
		s.end(s.brokenBy)
		close(s.broken)
	})
}

func (s *Store) unavailable() error { return fmt.Errorf("%w: %w", meta.ErrUnavailable, s.cause) }

func (s *Store) unknown() error { return fmt.Errorf("%w: %w", meta.ErrUnknown, s.cause) }
