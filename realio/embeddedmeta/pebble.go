package embeddedmeta

import (
	"fmt"
	"log/slog"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Memory is a product number: an idle metastore keeps little.
const (
	cacheBytes    = 8 << 20
	memTableBytes = 4 << 20
	openFiles     = 256
)

// openPebble opens the database on a goroutine of its own, because a pebble that cannot go on stops the goroutine it
// says so on.
func (s *Store) openPebble(fs vfs.FS) error {
	quiet := logger{s.log, s.fail}
	events := pebble.EventListener{
		BackgroundError: quiet.backgroundError,
		DataCorruption:  func(info pebble.DataCorruptionInfo) { s.fail(fmt.Errorf("corrupt data: %s", info)) },
	}
	opts := &pebble.Options{
		FS:                          fs,
		CacheSize:                   cacheBytes,
		MemTableSize:                memTableBytes,
		MemTableStopWritesThreshold: 4,
		MaxOpenFiles:                openFiles,
		FormatMajorVersion:          pebble.FormatValueSeparation,
		Logger:                      quiet,
		EventListener:               &events,
	}
	for i := range opts.Levels {
		opts.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	type opening struct {
		db  *pebble.DB
		err error
	}
	done := make(chan opening, 1)
	go func() {
		db, err := pebble.Open(s.where, opts)
		done <- opening{db, err}
	}()
	select {
	case o := <-done:
		s.db = o.db
		return o.err
	case <-s.ended:
		return s.cause
	}
}

// logger is what pebble tells of itself. It calls Fatalf and the background error event where it has lost hold of its own
// state or would try again at once and forever: the store fails, and the goroutine does not go on.
type logger struct {
	log  *slog.Logger
	fail func(error)
}

var _ pebble.Logger = logger{}

func (logger) Infof(string, ...any) {}

func (l logger) Errorf(format string, args ...any) {
	l.log.Warn("metastore", "pebble", fmt.Sprintf(format, args...))
}

func (l logger) Fatalf(format string, args ...any) { l.backgroundError(fmt.Errorf(format, args...)) }

func (l logger) backgroundError(err error) {
	l.fail(err)
	select {}
}
